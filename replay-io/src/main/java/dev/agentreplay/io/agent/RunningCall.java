package dev.agentreplay.io.agent;

import org.jspecify.annotations.Nullable;

/**
 * A tool call whose tool runs in a thread. An agent that is invoked by the thread until the call
 * ends was started by the call. Safe for use by several threads.
 */
public final class RunningCall {

  /** The session, or the lane of it, that a call is in. */
  public interface Place {

    /** The session, the same object for each of its lanes. */
    @Nullable
    Object session();

    /** The id of the agent whose lane it is; null if it is not a lane. */
    @Nullable
    String agent();
  }

  private static final ThreadLocal<@Nullable RunningCall> INNERMOST = new ThreadLocal<>();

  private final Place place;
  private final String id;
  private final int number;
  private final @Nullable RunningCall outer;
  private volatile boolean hasEnded;

  private RunningCall(Place place, String id, int number, @Nullable RunningCall outer) {
    this.place = place;
    this.id = id;
    this.number = number;
    this.outer = outer;
  }

  /**
   * Begins a call at a place, whose tool is run by the current thread.
   *
   * @param id the id of the call in the log
   * @param number the number of the call among those of its tool in one answer of the model, from 1
   */
  public static RunningCall begin(Place place, String id, int number) {
    RunningCall call = new RunningCall(place, id, number, innermost());
    INNERMOST.set(call);
    return call;
  }

  /**
   * Runs an action in the current thread on behalf of a call that a different thread runs, such as
   * a callback of a stream that the tool waits for.
   *
   * @param call the call; null if the thread runs none
   */
  public static void runIn(@Nullable RunningCall call, Runnable action) {
    RunningCall before = INNERMOST.get();
    set(call);
    try {
      action.run();
    } finally {
      set(before);
    }
  }

  private static void set(@Nullable RunningCall call) {
    if (call == null) {
      INNERMOST.remove();
    } else {
      INNERMOST.set(call);
    }
  }

  /** Ends the call; may be called by any thread, because the tool may fail without a callback. */
  public void end() {
    hasEnded = true;
  }

  /** The innermost call of a session that the current thread runs; null if there is none. */
  @SuppressWarnings("ReferenceEquality") // a session is the same object
  public static @Nullable RunningCall in(Object session) {
    RunningCall call = innermost();
    while (call != null && (call.place.session() != session || call.hasEnded)) {
      call = call.outer;
    }
    return call;
  }

  /** The innermost call that the current thread runs; null if there is none. */
  public static @Nullable RunningCall innermost() {
    RunningCall call = INNERMOST.get();
    while (call != null && call.hasEnded) {
      call = call.outer;
    }
    set(call);
    return call;
  }

  /** The place of the call. */
  public Place place() {
    return place;
  }

  /** The id of the call. */
  public String id() {
    return id;
  }

  /** The number of the call among those of its tool in one answer of the model, from 1. */
  public int number() {
    return number;
  }
}
