package dev.agentreplay.records.recording;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionTrace;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A round of a thread. Its end is not before its start.
 *
 * @param artifact the hash of the artifact that was compiled after it
 */
record ThreadRound(
    RecordTime start, RecordTime end, List<ThreadMessage> messages, @Nullable RecordHash artifact) {

  static final Comparator<RecordTime> BY_TIME = Comparator.comparing(RecordTime::instant);

  /**
   * Creates a round that lasts from one time to another, and longer if one of its messages was sent
   * earlier or later.
   */
  static ThreadRound spanning(
      RecordTime start,
      RecordTime end,
      List<ThreadMessage> messages,
      @Nullable RecordHash artifact) {
    RecordTime first = earlier(start, end);
    RecordTime last = later(start, end);
    for (ThreadMessage message : messages) {
      first = earlier(first, message.time());
      last = later(last, message.time());
    }
    return new ThreadRound(first, last, List.copyOf(messages), artifact);
  }

  /** Returns the earlier of two times, the first one if they are equal. */
  static RecordTime earlier(RecordTime one, RecordTime other) {
    return BY_TIME.compare(other, one) < 0 ? other : one;
  }

  /** Returns the later of two times, the first one if they are equal. */
  static RecordTime later(RecordTime one, RecordTime other) {
    return BY_TIME.compare(other, one) > 0 ? other : one;
  }

  /** Returns the milliseconds between two times; 0 if they are reversed. */
  static long millis(RecordTime from, RecordTime to) {
    return Math.max(0, Duration.between(from.instant(), to.instant()).toMillis());
  }

  SessionTrace.Round traced(long number) {
    return new SessionTrace.Round(
        number,
        start,
        end,
        messages.stream().map(ThreadMessage::traced).toList(),
        artifact,
        millis(start, end),
        JsonObject.EMPTY);
  }
}
