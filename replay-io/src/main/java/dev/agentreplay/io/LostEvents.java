package dev.agentreplay.io;

import dev.agentreplay.io.internal.WriterLog;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The events that a recorder could not write. Not safe for use by several threads. */
final class LostEvents {

  private final Path log;
  private long total;
  private long unmarked;
  private @Nullable Timestamp since;
  private @Nullable IOException failure;

  LostEvents(Path log) {
    this.log = log;
  }

  /** How many there are. */
  long total() {
    return total;
  }

  /** What went wrong last; null if nothing has. */
  @Nullable
  IOException failure() {
    return failure;
  }

  /** An event could not be written. */
  void add(IOException reason, Timestamp now) {
    failed(reason);
    addUnanswerable(now);
  }

  /** The result of a call that could not be written was not written either. */
  void addUnanswerable(Timestamp now) {
    total++;
    if (unmarked++ == 0) {
      since = now;
      WriterLog.warning(log, "events cannot be written; recording goes on without them");
    }
  }

  /** An event came when the log could take none any more, so that it cannot be marked there. */
  void addLate(IOException reason) {
    failed(reason);
    total++;
  }

  /** Something that is no event could not be written. */
  void failed(IOException reason) {
    failure = reason;
  }

  /** The event that marks them in the log; null when they are marked. */
  @Nullable
  RecordingGap gap() {
    return unmarked == 0
        ? null
        : RecordingGap.of(unmarked)
            .withSince(since)
            .withReason(failure == null ? null : reason(failure));
  }

  /** What the operating system said, as "No space left on device". */
  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return Excerpt.of(String.valueOf(cause.getMessage()));
  }

  /** The log is to say that they are missing. Returns how many. */
  long take() {
    long taken = unmarked;
    unmarked = 0;
    return taken;
  }

  /** The log does not say that so many are missing. */
  void putBack(long taken) {
    unmarked += taken;
  }

  /** The log says that so many are missing. */
  void tell(long marked) {
    WriterLog.warning(
        log, marked + " events were not recorded, as the log says; recording goes on");
  }

  /** So many events were acknowledged, and lost when the log was closed. */
  void addClosed(long events) {
    total += events;
  }
}
