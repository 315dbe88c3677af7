package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.span.SourceTime;
import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.Span.Envelope;
import dev.agentreplay.convert.trace.span.Span.Event;
import dev.agentreplay.convert.trace.span.Span.Link;
import dev.agentreplay.convert.trace.span.Span.Source;
import dev.agentreplay.convert.trace.span.Span.State;
import dev.agentreplay.convert.trace.span.Span.Status;
import dev.agentreplay.convert.trace.span.Span.Times;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One span, in OTLP JSON, as Jaeger exports it, or as a tracer dumps its object. */
final class SpanForm {

  private static final String[][] TRACE = {
    {"traceId"},
    {"trace_id"},
    {"traceID"},
    {"spanContext", "traceId"},
    {"context", "trace_id"},
    {"context", "traceId"}
  };
  private static final String[][] ID = {
    {"spanId"},
    {"span_id"},
    {"spanID"},
    {"spanContext", "spanId"},
    {"context", "span_id"},
    {"context", "spanId"},
    {"id"}
  };
  private static final String[][] PARENT = {
    {"parentSpanId"},
    {"parent_span_id"},
    {"parentId"},
    {"parent_id"},
    {"parent", "span_id"},
    {"parentSpanContext", "spanId"},
    {"parent", "spanId"}
  };
  private static final List<String> START =
      List.of("startTimeUnixNano", "start_time_unix_nano", "startTime", "start_time", "timestamp");
  private static final List<String> END =
      List.of("endTimeUnixNano", "end_time_unix_nano", "endTime", "end_time");

  private SpanForm() {}

  /** Whether an object is a span: it has ids or a time, and attributes. */
  static boolean isSpan(JsonObject json) {
    boolean hasIds = first(json, ID) != null && first(json, TRACE) != null;
    boolean hasAttributes =
        json.get("attributes") instanceof JsonObject || json.get("attributes") instanceof JsonArray;
    return (hasIds && (hasAttributes || json.has("tags") || json.has("startTimeUnixNano")))
        || (hasAttributes && json.get("name") instanceof JsonString && startMember(json) != null)
        || isAttributes(json);
  }

  /** Whether an object has nothing but the attributes of a span. */
  static boolean isAttributes(JsonObject json) {
    return json.names().stream()
        .anyMatch(name -> name.startsWith("gen_ai.") || name.equals("openinference.span.kind"));
  }

  static Span parse(JsonObject json, SourcePlace place, List<Envelope> envelopes) {
    boolean isBare = isAttributes(json) && !json.has("attributes");
    Restated restated = isBare ? new Restated(json, List.of()) : Restated.of(json);
    List<String> attributesAt = isBare
        ? List.of()
        : List.of(json.has("tags") && !json.has("attributes") ? "tags" : "attributes");
    Source source = new Source(
        restated.json(),
        place,
        CanonicalJson.SERDE.hash(json),
        attributesAt,
        restated.paths(),
        envelopes);
    Span span = new Span(source, name(json), link(json), times(json), status(json), List.of());
    return new Span(
        source, span.name(), span.link(), span.times(), status(span), events(restated.json()));
  }

  private static String name(JsonObject json) {
    JsonValue name = json.has("operationName") ? json.get("operationName") : json.get("name");
    return name instanceof JsonString text ? text.value() : "";
  }

  private static Link link(JsonObject json) {
    String trace = SpanValues.id(first(json, TRACE));
    String parent = SpanValues.id(first(json, PARENT));
    if (json.get("references") instanceof JsonArray references) {
      for (JsonValue value : references) {
        if (value instanceof JsonObject reference
            && reference.get("refType") instanceof JsonString type
            && type.value().equals("CHILD_OF")) {
          parent = SpanValues.id(reference.get("spanID"));
        }
      }
    }
    return new Link(trace == null ? "" : trace, SpanValues.id(first(json, ID)), parent);
  }

  private static @Nullable String startMember(JsonObject json) {
    return START.stream()
        .filter(name -> SourceTime.parse(json.get(name)) != null)
        .findFirst()
        .orElse(null);
  }

  private static Times times(JsonObject json) {
    String start = startMember(json);
    if (start == null) {
      return new Times(null, null, List.of());
    }
    Instant begin = SourceTime.parse(json.get(start));
    for (String end : END) {
      if (SourceTime.parse(json.get(end)) != null) {
        return new Times(begin, SourceTime.parse(json.get(end)), List.of(start, end));
      }
    }
    if (begin != null && json.get("duration") instanceof JsonNumber micros) {
      try {
        long nanos = Math.multiplyExact(micros.asLong(), 1_000L);
        return new Times(begin, begin.plusNanos(nanos), List.of("duration"));
      } catch (ArithmeticException notAnInteger) {
        return new Times(begin, null, List.of(start));
      }
    }
    return new Times(begin, null, List.of(start));
  }

  private static Status status(JsonObject json) {
    JsonValue code = first(
        json, new String[][] {{"status", "code"}, {"status", "status_code"}, {"status_code"}});
    JsonValue message = first(
        json,
        new String[][] {{"status", "message"}, {"status", "description"}, {"status_message"}});
    return new Status(
        state(code),
        message instanceof JsonString text && !text.value().isBlank() ? text.value() : null);
  }

  /** The status that the tags of a span state, as Jaeger has it. */
  private static Status status(Span span) {
    Status status = span.status();
    JsonObject tags = span.attributes();
    if (status.state() != State.UNSET || !span.source().attributesAt().contains("tags")) {
      return status;
    }
    State state = state(tags.get("otel.status_code"));
    boolean isError =
        (tags.get("error") instanceof JsonBoolean error && error.value()) || state == State.ERROR;
    String message =
        tags.get("otel.status_description") instanceof JsonString text ? text.value() : null;
    return new Status(isError ? State.ERROR : state, message);
  }

  private static State state(@Nullable JsonValue code) {
    String text = code instanceof JsonString name
        ? name.value().toUpperCase(Locale.ROOT)
        : code instanceof JsonNumber number ? number.text() : "";
    if (text.equals("1") || text.endsWith("OK")) {
      return State.OK;
    }
    return text.equals("2") || text.endsWith("ERROR") ? State.ERROR : State.UNSET;
  }

  private static List<Event> events(JsonObject restated) {
    List<Event> events = new ArrayList<>();
    for (String list : List.of("events", "logs")) {
      if (restated.get(list) instanceof JsonArray array) {
        for (JsonValue element : array) {
          if (element instanceof JsonObject event) {
            events.add(event(event));
          }
        }
      }
    }
    return events;
  }

  private static Event event(JsonObject event) {
    JsonObject attributes = JsonObject.EMPTY;
    for (String name : List.of("attributes", "fields")) {
      if (event.get(name) instanceof JsonObject object) {
        attributes = object;
      }
    }
    JsonValue name = event.has("name") ? event.get("name") : attributes.get("event");
    return new Event(name instanceof JsonString text ? text.value() : "", attributes);
  }

  private static @Nullable JsonValue first(JsonObject json, String[][] paths) {
    for (String[] path : paths) {
      JsonValue value = json;
      for (String name : path) {
        value = value instanceof JsonObject object ? object.get(name) : null;
      }
      if (value instanceof JsonString || value instanceof JsonNumber) {
        return value;
      }
    }
    return null;
  }
}
