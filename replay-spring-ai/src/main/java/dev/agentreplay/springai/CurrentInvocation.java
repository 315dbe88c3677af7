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
 */
record CurrentInvocation(SpringAiCalls calls, @Nullable Object chain, Invocation invocation) {

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

  private static void set(@Nullable CurrentInvocation invocation) {
    if (invocation == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(invocation);
    }
  }
}
