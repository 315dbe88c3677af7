package dev.agentreplay.convert.trace.langfuse;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.span.SourceTime;
import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.Span.Envelope;
import dev.agentreplay.convert.trace.span.Span.Link;
import dev.agentreplay.convert.trace.span.Span.Source;
import dev.agentreplay.convert.trace.span.Span.State;
import dev.agentreplay.convert.trace.span.Span.Status;
import dev.agentreplay.convert.trace.span.Span.Times;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One observation as a span. Exports name its members in snake case, the API in camel case. A
 * member that is not set is an empty text in exports.
 */
final class ObservationForm {

  private static final List<String> START = List.of("start_time", "startTime");
  private static final List<String> END = List.of("end_time", "endTime");

  private ObservationForm() {}

  static boolean isObservation(JsonObject json) {
    return text(json, "id") != null
        && text(json, "trace_id", "traceId") != null
        && text(json, "type") != null
        && (json.has("start_time") || json.has("startTime"))
        && !json.has("attributes");
  }

  static Span parse(JsonObject json, SourcePlace place, List<Envelope> envelopes) {
    Instant start = time(json, START);
    Instant end = time(json, END);
    String name = text(json, "name");
    String level = text(json, "level");
    boolean isError = level != null && level.toUpperCase(Locale.ROOT).equals("ERROR");
    return new Span(
        new Source(json, place, CanonicalJson.SERDE.hash(json), List.of(), List.of(), envelopes),
        name == null ? "" : name,
        link(json),
        new Times(
            start,
            end,
            Stream.concat(START.stream(), END.stream()).filter(json::has).toList()),
        new Status(
            isError ? State.ERROR : State.UNSET, text(json, "status_message", "statusMessage")),
        List.of());
  }

  private static Link link(JsonObject json) {
    String trace = text(json, "trace_id", "traceId");
    return new Link(
        trace == null ? "" : trace,
        text(json, "id"),
        text(json, "parent_observation_id", "parentObservationId"));
  }

  private static @Nullable Instant time(JsonObject json, List<String> names) {
    for (String name : names) {
      Instant time = SourceTime.parse(json.get(name));
      if (time != null) {
        return time;
      }
    }
    return null;
  }

  /** The first of several members that is a text that is not blank; null if none is. */
  static @Nullable String text(JsonObject json, String... names) {
    String name = member(json, names);
    JsonValue value = name == null ? null : json.get(name);
    return value instanceof JsonString text ? text.value() : null;
  }

  /** The name of the first of several members that is a text that is not blank. */
  private static @Nullable String member(JsonObject json, String... names) {
    for (String name : names) {
      if (json.get(name) instanceof JsonString text && !text.value().isBlank()) {
        return name;
      }
    }
    return null;
  }
}
