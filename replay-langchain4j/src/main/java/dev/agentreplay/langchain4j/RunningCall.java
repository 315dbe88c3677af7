package dev.agentreplay.langchain4j;

import org.jspecify.annotations.Nullable;

/**
 * A tool call whose tool runs in a thread. An agent that is invoked by the thread until the call
 * ends was started by the call.
 */
final class RunningCall {

  private static final ThreadLocal<@Nullable RunningCall> INNERMOST = new ThreadLocal<>();

  private final GuardedSession session;
  private final String id;
  private final int number;
  private final @Nullable RunningCall outer;
  private volatile boolean hasEnded;

  private RunningCall(GuardedSession session, String id, int number, @Nullable RunningCall outer) {
    this.session = session;
    this.id = id;
    this.number = number;
    this.outer = outer;
  }

  /** Begins a call of a session, whose tool is run by the current thread. */
  static RunningCall begin(GuardedSession session, String id, int number) {
    RunningCall call = new RunningCall(session, id, number, innermost());
    INNERMOST.set(call);
    return call;
  }

  /** Ends the call; may be called by any thread, because the tool may fail without a callback. */
  void end() {
    hasEnded = true;
  }

  /** The innermost call of a session that the current thread runs; null if there is none. */
  static @Nullable RunningCall in(GuardedSession session) {
    RunningCall call = innermost();
    while (call != null && (!call.session.isSameLog(session) || call.hasEnded)) {
      call = call.outer;
    }
    return call;
  }

  /** The innermost call that the current thread runs; null if there is none. */
  static @Nullable RunningCall innermost() {
    RunningCall call = INNERMOST.get();
    while (call != null && call.hasEnded) {
      call = call.outer;
    }
    if (call == null) {
      INNERMOST.remove();
    } else {
      INNERMOST.set(call);
    }
    return call;
  }

  /** The session of the call. */
  GuardedSession session() {
    return session;
  }

  /** The id of the call. */
  String id() {
    return id;
  }

  /** The number of the call among those of its tool in one answer of the model, from 1. */
  int number() {
    return number;
  }
}
