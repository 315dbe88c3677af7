package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The results that wait for their time. A log has one event for a call and its result, at the time
 * of the call; what happened meanwhile follows it. Not safe for use by several threads.
 */
final class PendingResults {

  private record Waiting(
      Timestamp time,
      long number,
      ReplayEvent event,
      SourceRecord record,
      List<SourceRecord> more) {}

  private final TraceSession session;
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparing((Waiting result) -> result.time().instant())
          .thenComparing(Waiting::number));
  private long number;

  PendingResults(TraceSession session) {
    this.session = session;
  }

  /** Adds a result, which is written at once if it states no time. */
  void add(ReplayEvent result, SourceRecord record, List<SourceRecord> more) throws IOException {
    Timestamp time = result.meta().time();
    if (time == null) {
      write(result, record, more);
    } else {
      waiting.add(new Waiting(time, ++number, result, record, more));
    }
  }

  /** Writes the results until a time; null writes none. */
  void writeUntil(@Nullable Timestamp time) throws IOException {
    while (time != null
        && !waiting.isEmpty()
        && !waiting.peek().time().instant().isAfter(time.instant())) {
      writeFirst();
    }
  }

  /** Writes all results. */
  void writeAll() throws IOException {
    while (!waiting.isEmpty()) {
      writeFirst();
    }
  }

  private void writeFirst() throws IOException {
    Waiting first = waiting.remove();
    write(first.event(), first.record(), first.more());
  }

  private void write(ReplayEvent result, SourceRecord record, List<SourceRecord> more)
      throws IOException {
    if (more.isEmpty()) {
      session.emit(result, record);
    } else {
      session.emit(result, record, more);
    }
  }
}
