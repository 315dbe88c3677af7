package dev.agentreplay.io.recording;

import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events that a recorder could not write: how many there are and why, and what the log and the
 * caller have yet to be told of them. Safe for use by several threads.
 */
final class LossLog {

  private final ReplayWriter writer;
  private final ReentrantLock lock = new ReentrantLock();

  private long total;
  private @Nullable IOException failure;

  /** The number of those that the log does not tell of, and the time of the first of them. */
  private long unmarked;

  private @Nullable Timestamp since;

  /** Whether there are some of which the log does not tell. True until it does. */
  private volatile boolean hasUnmarked;

  /** The reason that the result of a tool which has run is not recorded, until it is thrown. */
  private final AtomicReference<@Nullable IOException> untold = new AtomicReference<>();

  LossLog(ReplayWriter writer) {
    this.writer = writer;
  }

  /** The number of lost events. */
  long total() {
    lock.lock();
    try {
      return total;
    } finally {
      lock.unlock();
    }
  }

  /** The last reason that something could not be written; null if there is none. */
  @Nullable
  IOException failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  /** Something that is not an event could not be written. */
  void failed(IOException reason) {
    lock.lock();
    try {
      failure = reason;
    } finally {
      lock.unlock();
    }
  }

  /**
   * An event could not be written.
   *
   * @param cause what the writer threw: the event may be in the log nevertheless, and after the end
   *     of the session no gap can be
   */
  void add(IOException reason, Throwable cause) {
    Timestamp now = writer.now();
    lock.lock();
    try {
      failure = reason;
      if (cause instanceof IllegalStateException) {
        total++;
      } else if (!(cause instanceof ReplayWriteException failed) || failed.written() == null) {
        count(now);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The result of a call that could not be written was not written either. */
  void addUnanswerable() {
    Timestamp now = writer.now();
    lock.lock();
    try {
      count(now);
    } finally {
      lock.unlock();
    }
  }

  private void count(Timestamp now) {
    total++;
    if (unmarked++ == 0) {
      since = now;
      hasUnmarked = true;
      WriterLog.warning(writer.file(), "events cannot be written; recording goes on without them");
    }
  }

  /** Events that were acknowledged were lost when the log was closed. */
  void addClosed(long events) {
    lock.lock();
    try {
      total += events;
    } finally {
      lock.unlock();
    }
  }

  /** A call is not recorded, nor will its result be; the tool runs all the same. */
  void addCall(String tool, Throwable cause) {
    IOException reason = new IOException(
        "a call of \"%s\" was not recorded: %s".formatted(tool, cause.getMessage()), cause);
    add(reason, cause);
    add(reason, cause);
  }

  /**
   * The result of a tool that has run is not recorded.
   *
   * @param isToBeTold whether {@link #throwUntold} says so, unless the session has ended
   */
  void addResult(String id, Throwable cause, boolean isToBeTold) {
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    IOException reason =
        new IOException("the result of call \"%s\" was not recorded: %s".formatted(id, why), cause);
    add(reason, cause);
    if (isToBeTold && !(cause instanceof IllegalStateException)) {
      untold.set(reason);
    }
  }

  /** Throws why a result was not recorded, once. */
  void throwUntold() throws IOException {
    IOException reason = untold.get() == null ? null : untold.getAndSet(null);
    if (reason != null) {
      throw reason;
    }
  }

  /** Writes into the log that events are missing here, if it does not say so already. */
  void mark() throws IOException {
    if (!hasUnmarked) {
      return;
    }
    lock.lock();
    try {
      long marked = unmarked;
      if (marked == 0) {
        return;
      }
      RecordingGap gap = RecordingGap.of(marked).withSince(since).withReason(reason());
      try {
        writer.emit(gap);
      } catch (ReplayWriteException e) {
        if (e.written() != null) {
          marked();
        }
        throw e.of(null); // nothing is in the log of the event that was to follow
      }
      marked();
      WriterLog.warning(
          writer.file(), marked + " events were not recorded, as the log says; recording goes on");
    } finally {
      lock.unlock();
    }
  }

  private void marked() {
    unmarked = 0;
    hasUnmarked = false;
  }

  /** The words of the operating system, as "No space left on device"; null without a failure. */
  private @Nullable String reason() {
    Throwable cause = failure;
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null ? null : Excerpt.of(String.valueOf(cause.getMessage()));
  }
}
