package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The events that the export of a session kept with a step and that do not belong to it, such as
 * the messages of users. They are written between the events of the step in the order of their
 * times.
 */
final class OtherEvents {

  private final TraceSession session;
  private final @Nullable KeptEvents kept;
  private final Meta lane;
  private final Deque<SourceRecord> waiting = new ArrayDeque<>();

  OtherEvents(AtifContext context, Meta lane) {
    this.session = context.session();
    this.kept = context.kept();
    this.lane = lane;
  }

  /** Takes the other events that are kept in a record. */
  void take(SourceRecord record) {
    if (kept != null) {
      waiting.addAll(kept.others(record));
    }
  }

  /**
   * Writes the events that are older than one that follows, and the states of files that have the
   * time of the result of the tool that changed them.
   */
  void writeBefore(ReplayEvent next) throws IOException {
    Timestamp time = next.meta().time();
    while (kept != null && time != null && !waiting.isEmpty()) {
      SourceRecord first = waiting.element();
      Timestamp firstTime = kept.time(first);
      int order = firstTime == null ? 1 : firstTime.instant().compareTo(time.instant());
      boolean isState =
          next instanceof ToolResult && kept.is(first, EventKind.FILE_STATE) && order == 0;
      if (order >= 0 && !isState) {
        return;
      }
      write(waiting.remove());
    }
  }

  /** Writes the events that wait. */
  void writeAll() throws IOException {
    while (!waiting.isEmpty()) {
      write(waiting.remove());
    }
  }

  private void write(SourceRecord record) throws IOException {
    ReplayEvent event = kept == null ? null : kept.other(record);
    if (event == null) {
      session.keep(record, lane);
    } else {
      session.emit(event, record);
    }
  }
}
