package dev.agentreplay.records.recording;

import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.TraceMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message of a thread with its text.
 *
 * @param source the place in the export or log, for the ledger
 */
record ThreadMessage(
    @Nullable Long id,
    RecordTime time,
    String from,
    TraceMessage.Type type,
    @Nullable String subject,
    String text,
    @Nullable Boolean acknowledged,
    String source) {

  TraceMessage traced() {
    return TraceMessage.of(time, from, type, text)
        .withMessageId(id)
        .withSubject(subject)
        .withAcknowledged(acknowledged);
  }

  ThreadMessage withFrom(String newFrom) {
    return new ThreadMessage(id, time, newFrom, type, subject, text, acknowledged, source);
  }

  ThreadMessage withTime(RecordTime newTime) {
    return new ThreadMessage(id, newTime, from, type, subject, text, acknowledged, source);
  }
}
