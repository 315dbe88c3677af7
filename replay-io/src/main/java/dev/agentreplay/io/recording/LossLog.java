package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events that a recorder could not write: their number and the reason, and what was not yet
 * reported in the log or to the caller. Safe for use by several threads.
 */
final class LossLog {

  private final ReplayWriter writer;
  private final Redaction redaction;
  private final ReentrantLock lock = new ReentrantLock();

  private long total;
  private @Nullable IOException failure;

  /**
   * The number of lost events that no {@link RecordingGap} in the log reports yet, and the time of
   * the first of them.
   */
  private long unmarked;

  private @Nullable Timestamp since;

  /** Whether the log does not report some of them; true until it does. */
  private volatile boolean hasUnmarked;

  /** The reason why the result of a tool that has run is not recorded, until it is thrown. */
  private final AtomicReference<@Nullable IOException> untold = new AtomicReference<>();

  LossLog(ReplayWriter writer, Redaction redaction) {
    this.writer = writer;
    this.redaction = redaction;
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

  /** The last failure to write; null if there was none. */
  @Nullable
  IOException failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  /** Records a failure to write something other than an event. */
  void failed(IOException reason) {
    lock.lock();
    try {
      failure = reason;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Counts an event that could not be written.
   *
   * @param cause the exception of the writer: the event may be in the log nevertheless, and after
   *     the end of the session no gap can be written
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

  /** Counts the result of a call that was lost: it is not written either. */
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
      WriterLog.warning(
          writer.file(), "events cannot be written; recording continues without them");
    }
  }

  /** Counts events that were acknowledged, and lost when the log was closed. */
  void addClosed(long events) {
    lock.lock();
    try {
      total += events;
    } finally {
      lock.unlock();
    }
  }

  /** Counts a call that is not recorded; the tool or model runs nevertheless. */
  void addCall(String name, Throwable cause) {
    add(
        new IOException(
            "a call of \"%s\" was not recorded: %s".formatted(name, Failure.message(cause)), cause),
        cause);
  }

  /**
   * Counts the result of a tool that has run, which is not recorded.
   *
   * @param isToBeTold whether {@link #throwUntold} throws the reason, unless the session has ended
   */
  void addResult(String id, Throwable cause, boolean isToBeTold) {
    addUntold("the result of call \"%s\" was".formatted(id), cause, isToBeTold);
  }

  /**
   * Counts the files that a tool or the agent has changed, as one event, when they are not
   * recorded.
   *
   * @param isToBeTold whether {@link #throwUntold} throws the reason, unless the session has ended
   */
  void addFiles(String which, Throwable cause, boolean isToBeTold) {
    addUntold("changed files (%s) were".formatted(which), cause, isToBeTold);
  }

  private void addUntold(String lost, Throwable cause, boolean isToBeTold) {
    IOException reason =
        new IOException("%s not recorded: %s".formatted(lost, FileMessages.of(cause)), cause);
    add(reason, cause);
    if (isToBeTold && !(cause instanceof IllegalStateException)) {
      untold.set(reason);
    }
  }

  /** Throws the reason why a result was not recorded, once. */
  void throwUntold() throws IOException {
    IOException reason = untold.get() == null ? null : untold.getAndSet(null);
    if (reason != null) {
      throw reason;
    }
  }

  /** Writes a {@link RecordingGap} to the log if there are lost events that it does not report. */
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
        writer.emit(redaction.apply(gap));
      } catch (ReplayWriteException e) {
        if (e.written() != null) {
          marked();
        }
        throw e.of(null); // the event after the gap is not in the log
      } catch (IllegalStateException e) {
        marked(); // the session has ended: only the total states them
        return;
      }
      marked();
      WriterLog.warning(
          writer.file(),
          marked + " events were not recorded, see RecordingGap in the log; recording continues");
    } finally {
      lock.unlock();
    }
  }

  private void marked() {
    unmarked = 0;
    hasUnmarked = false;
  }

  /** The message of the operating system, as "No space left on device"; null without a failure. */
  private @Nullable String reason() {
    Throwable cause = failure;
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null ? null : Excerpt.of(String.valueOf(cause.getMessage()));
  }
}
