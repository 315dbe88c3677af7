package dev.agentreplay.io.recording;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.StreamedText;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The only result that a recorded call may get, and the time until then. Safe for use by several
 * threads; only the first result is recorded.
 */
final class SingleAnswer {

  private final AgentRecorder lane;
  private final String id;
  private final @Nullable String agent;
  private final @Nullable String parent;
  private final LongSupplier nanoTime;

  /**
   * The time at which the call had been recorded, or its tool began to run. A field, because an
   * Error in a method would lose the handle of a call that is in the log.
   */
  volatile long startedNanos;

  private final StreamedText stream = new StreamedText();
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as is {@link #isRun}. */
  private boolean isGiven;

  private boolean isRun;

  /**
   * Creates the answer of a call.
   *
   * @param lane the recorder of the agent that makes the call
   */
  SingleAnswer(AgentRecorder lane, ReplayEvent call, LongSupplier nanoTime) {
    this.lane = lane;
    this.id = Objects.requireNonNull(call.callId());
    this.agent = call.meta().agent();
    this.parent = call.meta().parent();
    this.nanoTime = nanoTime;
  }

  /** The id of the call. */
  String id() {
    return id;
  }

  /** The id of the agent that made the call; null if it is not stated. */
  @Nullable
  String agent() {
    return agent;
  }

  /** Whether the call has a result, or may have one. */
  boolean isGiven() {
    lock.lock();
    try {
      return isGiven;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins to run the tool of the call.
   *
   * @throws IllegalStateException if the call has a result, or its tool was run already
   */
  void begin() {
    lock.lock();
    try {
      requireOpen();
      if (isRun) {
        throw new IllegalStateException("the tool of call " + id + " was run already");
      }
      isRun = true;
      startedNanos = nanoTime.getAsLong();
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (isGiven) {
      throw new IllegalStateException("call " + id + " has a result already");
    }
  }

  /** The milliseconds since the call was recorded, or its tool began to run. */
  long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startedNanos);
  }

  /**
   * Records the result.
   *
   * @throws IllegalStateException if the call already has a result
   */
  WrittenEvent give(ReplayEvent result) throws IOException {
    lock.lock();
    try {
      requireOpen();
      WrittenEvent written = lane.answer(inLane(result));
      isGiven = true;
      return written;
    } catch (ReplayWriteException e) {
      isGiven = e.isUndetermined();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Adds a piece of a streamed result. */
  void chunk(String piece) {
    stream.add(elapsedMillis(), piece);
  }

  /** The pieces of a streamed result. */
  StreamedText stream() {
    return stream;
  }

  /** The result with the agent of its call, which the caller may have stated in the call alone. */
  private ReplayEvent inLane(ReplayEvent result) {
    return agent == null
        ? result
        : result.withMeta(result.meta().withAgent(agent).withParent(parent));
  }
}
