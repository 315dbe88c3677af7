package dev.agentreplay.io.recording;

import dev.agentreplay.model.ReplayEvent;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The only result that a recorded call may get, and the time until then. Safe for use by several
 * threads; only the first result is recorded.
 */
final class SingleAnswer {

  private final SessionRecorder session;
  private final String id;
  private final LongSupplier nanoTime;

  /** The time at which the call had been recorded, and the tool or model could run. */
  volatile long startedNanos;

  private final ReentrantLock lock = new ReentrantLock();
  private boolean isGiven;

  SingleAnswer(SessionRecorder session, String id, LongSupplier nanoTime) {
    this.session = session;
    this.id = id;
    this.nanoTime = nanoTime;
  }

  /** The id of the call. */
  String id() {
    return id;
  }

  /** The milliseconds since the call was recorded. */
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
      if (isGiven) {
        throw new IllegalStateException("call " + id + " has a result already");
      }
      WrittenEvent written = session.emit(result);
      isGiven = true;
      return written;
    } catch (ReplayWriteException e) {
      isGiven = e.isUndetermined();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** The message of an exception; its class if it has none. */
  static String message(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
