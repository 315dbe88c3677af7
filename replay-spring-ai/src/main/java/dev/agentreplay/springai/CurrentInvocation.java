package dev.agentreplay.springai;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The invocation that a thread or a stream works for. Streams have it in the context of Reactor,
 * which follows a subscription to any thread.
 *
 * @param calls the wrappers that began it
 * @param chain the chain of advisors that it was begun in; null outside of one
 * @param invocation the invocation
 * @param work the work of it that the thread or stream does
 * @param outer the invocation that it was begun in; null if there is none
 */
record CurrentInvocation(
    SpringAiCalls calls,
    @Nullable Object chain,
    Invocation invocation,
    Work work,
    @Nullable CurrentInvocation outer) {

  /** The part of an invocation that a thread or stream works on. */
  enum Work {
    /** The client and its advisors: their calls belong to the invocation. */
    CLIENT,
    /** A model: the calls of other models are a part of its own. */
    MODEL,
    /** A tool: its calls are those of an agent of its own. */
    TOOL
  }

  private static final ThreadLocal<@Nullable CurrentInvocation> CURRENT = new ThreadLocal<>();

  /** The invocation of the thread; null if there is none. */
  static @Nullable CurrentInvocation ofThread() {
    return CURRENT.get();
  }

  /** The invocation of a stream, or else of the thread; null if there is none. */
  static @Nullable CurrentInvocation of(ContextView context) {
    CurrentInvocation current = context.getOrDefault(CurrentInvocation.class, null);
    return current == null ? CURRENT.get() : current;
  }

  /** The innermost invocation that some wrappers began and that has not ended; null if none. */
  @SuppressWarnings("ReferenceEquality") // wrappers are compared by identity
  static @Nullable CurrentInvocation by(
      SpringAiCalls calls, @Nullable CurrentInvocation innermost) {
    CurrentInvocation current = innermost;
    while (current != null && (current.calls != calls || current.invocation.hasEnded())) {
      current = current.outer;
    }
    return current;
  }

  /** The invocation with different work, of a thread or stream that works for a given one. */
  CurrentInvocation at(Work changed, @Nullable CurrentInvocation innermost) {
    return new CurrentInvocation(calls, chain, invocation, changed, innermost);
  }

  /** Adds the invocation to the context of a stream. */
  Context in(Context context) {
    return context.put(CurrentInvocation.class, this);
  }

  /** Calls a function in this thread, which works for an invocation; for none if it is null. */
  static <T extends @Nullable Object> T call(
      @Nullable CurrentInvocation invocation, Supplier<T> function) {
    CurrentInvocation outer = CURRENT.get();
    set(invocation);
    try {
      return function.get();
    } finally {
      set(outer);
    }
  }

  /** Sets the invocation of the thread; none if it is null. */
  static void set(@Nullable CurrentInvocation invocation) {
    if (invocation == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(invocation);
    }
  }
}
