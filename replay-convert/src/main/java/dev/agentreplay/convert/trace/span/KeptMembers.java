package dev.agentreplay.convert.trace.span;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of the events of a session that was exported as spans. The exporter keeps those that
 * spans have no place for in attributes {@code agentreplay.*}, as JSON text; together with those of
 * the span, they are the events as they were. Prompts and answers are not restored.
 */
final class KeptMembers {

  static final String CALL = "agentreplay.call";
  static final String RESULT = "agentreplay.result";
  static final String END = "agentreplay.SessionEnd";
  static final String START = "agentreplay.SessionStart";

  private static final String EVENT = "agentreplay.event";
  private static final String EVENTS = "events";

  private KeptMembers() {}

  /** Whether the span of a tool is of a call that had no result when it was exported. */
  static boolean isUnanswered(Span span) {
    return span.attributes().has(CALL) && !span.attributes().has(RESULT);
  }

  /**
   * Restores an event of which members are kept in an attribute.
   *
   * @param known the members that the span has, of which those that are kept take precedence
   * @return the event; null if none is kept, or it cannot be restored
   */
  static @Nullable ReplayEvent restore(
      SpanRecord span, String attribute, EventKind kind, JsonObject known) {
    if (!(SpanRecord.parsed(span.get(attribute)) instanceof JsonObject kept)) {
      return null;
    }
    ReplayEvent event = decode(kept, kind, known);
    if (event != null && kept.has(Names.IMPORTED)) { // of an earlier import: it stays in the rest
      span.derive(kind.id(), attribute);
    } else if (event != null) {
      span.moveJson(kind.id(), attribute);
    }
    return event;
  }

  /** Restores the other events of an agent, which are events of its span. */
  static List<ReplayEvent> others(SpanRecord span) {
    List<ReplayEvent> events = new ArrayList<>();
    SourceRecord record = span.record();
    for (Span.Event event : span.span().events()) {
      JsonValue kept = SpanRecord.parsed(event.attributes().get(EVENT));
      String prefix = "agentreplay.";
      if (kept instanceof JsonObject object && event.name().startsWith(prefix)) {
        EventKind kind = EventKind.ofTag(event.name().substring(prefix.length()));
        ReplayEvent restored = kind == EventKind.UNKNOWN || kind == EventKind.CHECKPOINT
            ? null
            : decode(object, kind, JsonObject.EMPTY);
        if (restored != null) {
          record.derive(kind.id(), EVENTS);
          events.add(restored);
        }
      }
    }
    return events;
  }

  private static @Nullable ReplayEvent decode(JsonObject kept, EventKind kind, JsonObject known) {
    Dialect dialect = kept.has("ts") ? Dialect.TYPE : Dialect.EVENT;
    JsonObject.Builder line = JsonObject.builder();
    kept.without(Names.IMPORTED).forEach(line::add);
    line.addIfAbsent(dialect.tagName(), JsonValue.of(kind.id()));
    known.forEach(line::addIfAbsent);
    ReplayEvent event = dialect.decode(line.build()).event();
    return event.kind() == kind ? event : null;
  }
}
