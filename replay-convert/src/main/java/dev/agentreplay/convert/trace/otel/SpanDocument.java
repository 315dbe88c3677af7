package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.span.Span.Envelope;
import dev.agentreplay.convert.trace.span.SpanSessions;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the spans in a document or a line: a request or export of OTLP, of Tempo, of Jaeger, of
 * Phoenix, a trace of any-agent, or spans themselves.
 */
final class SpanDocument {

  private static final List<String> RESOURCES =
      List.of("resourceSpans", "batches", "resource_spans");
  private static final List<String> SCOPES =
      List.of("scopeSpans", "instrumentationLibrarySpans", "ilSpans", "scope_spans");
  private static final List<String> LISTS = List.of("spans", "data");

  private final SpanSessions sessions;

  SpanDocument(SpanSessions sessions) {
    this.sessions = sessions;
  }

  /** Whether a value is of a form in which spans are exported. */
  static boolean isRecognized(@Nullable JsonValue value) {
    if (value instanceof JsonArray array) {
      return array.size() > 0 && array.get(0) instanceof JsonObject first && isRecognized(first);
    }
    return value instanceof JsonObject object && (isEnvelope(object) || SpanForm.isSpan(object));
  }

  /** Whether an object holds spans. */
  static boolean isEnvelope(JsonObject json) {
    for (String name : RESOURCES) {
      if (json.get(name) instanceof JsonArray array && isResource(array)) {
        return true;
      }
    }
    for (String name : LISTS) {
      if (json.get(name) instanceof JsonArray array
          && array.size() > 0
          && array.get(0) instanceof JsonObject first
          && (SpanForm.isSpan(first)
              || (first.has("traceID") && first.get("spans") instanceof JsonArray))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isResource(JsonArray array) {
    return array.stream()
        .allMatch(element -> element instanceof JsonObject resource
            && (resource.has("resource") || SCOPES.stream().anyMatch(resource::has)));
  }

  /** Adds the spans of a value, and what else it holds. */
  void add(JsonValue value, SourcePlace place) {
    if (value instanceof JsonArray array) {
      JsonPointer root = JsonPointer.ROOT;
      for (int i = 0; i < array.size(); i++) {
        add(array.get(i), place.child(root.append(i)));
      }
      return;
    }
    if (!(value instanceof JsonObject json)) {
      sessions.add(new Envelope(JsonObject.of("value", value), "value", place, false));
    } else if (isEnvelope(json)) {
      addEnvelope(json, place);
    } else if (SpanForm.isSpan(json)) {
      sessions.add(SpanForm.parse(json, place, List.of()));
    } else {
      sessions.add(new Envelope(json, "record", place, false));
    }
  }

  private void addEnvelope(JsonObject json, SourcePlace place) {
    JsonObject rest = json;
    for (String name : RESOURCES) {
      if (json.get(name) instanceof JsonArray array && isResource(array)) {
        rest = rest.without(name);
        for (int i = 0; i < array.size(); i++) {
          JsonPointer at = JsonPointer.ROOT.append(name).append(i);
          addResource(array.get(i).asObject(), place, at);
        }
      }
    }
    for (String name : LISTS) {
      if (json.get(name) instanceof JsonArray array) {
        rest = rest.without(name);
        for (int i = 0; i < array.size(); i++) {
          JsonPointer at = JsonPointer.ROOT.append(name).append(i);
          addElement(array.get(i), place, at);
        }
      }
    }
    if (!rest.isEmpty()) {
      sessions.add(new Envelope(rest, "trace", place, true));
    }
  }

  private void addResource(JsonObject json, SourcePlace place, JsonPointer at) {
    List<Envelope> envelopes = new ArrayList<>();
    JsonObject rest = json.without(SCOPES.toArray(String[]::new));
    if (rest.get("resource") instanceof JsonObject resource) {
      rest = rest.with("resource", SpanForm.object(resource, "attributes", "value"));
    }
    addIfNotEmpty(envelopes, rest, "resource", place.child(at));
    boolean hasSpans = false;
    for (String name : SCOPES) {
      if (json.get(name) instanceof JsonArray scopes) {
        for (int i = 0; i < scopes.size(); i++) {
          hasSpans |= addScope(scopes.get(i), envelopes, place, at.append(name).append(i));
        }
      }
    }
    if (!hasSpans) {
      envelopes.forEach(sessions::add);
    }
  }

  private boolean addScope(
      JsonValue value, List<Envelope> resource, SourcePlace place, JsonPointer at) {
    if (!(value instanceof JsonObject json) || !(json.get("spans") instanceof JsonArray spans)) {
      sessions.add(new Envelope(JsonObject.of("value", value), "scope", place.child(at), false));
      return false;
    }
    List<Envelope> envelopes = new ArrayList<>(resource);
    addIfNotEmpty(envelopes, json.without("spans"), "scope", place.child(at));
    boolean hasSpans = false;
    for (int i = 0; i < spans.size(); i++) {
      SourcePlace here = place.child(at.append("spans").append(i));
      if (spans.get(i) instanceof JsonObject span) {
        sessions.add(SpanForm.parse(span, here, envelopes));
        hasSpans = true;
      } else {
        sessions.add(new Envelope(JsonObject.of("value", spans.get(i)), "value", here, false));
      }
    }
    if (!hasSpans) {
      envelopes.subList(resource.size(), envelopes.size()).forEach(sessions::add);
    }
    return hasSpans;
  }

  /** Adds a span of a list, or a trace of Jaeger, which has a list of its own. */
  private void addElement(JsonValue value, SourcePlace place, JsonPointer at) {
    if (!(value instanceof JsonObject json)
        || !json.has("traceID")
        || !(json.get("spans") instanceof JsonArray spans)) {
      add(value, place.child(at));
      return;
    }
    JsonObject rest = json.without("spans");
    if (rest.get("processes") instanceof JsonObject processes) {
      JsonObject.Builder restated = JsonObject.builder();
      processes.forEach((name, process) -> restated.add(
          name,
          process instanceof JsonObject object
              ? SpanForm.object(object, "tags", "value")
              : process));
      rest = rest.with("processes", restated.build());
    }
    List<Envelope> envelopes = List.of(new Envelope(rest, "trace", place.child(at), true));
    boolean hasSpans = false;
    for (int i = 0; i < spans.size(); i++) {
      SourcePlace here = place.child(at.append("spans").append(i));
      if (spans.get(i) instanceof JsonObject span) {
        sessions.add(SpanForm.parse(span, here, envelopes));
        hasSpans = true;
      } else {
        add(spans.get(i), here);
      }
    }
    if (!hasSpans) {
      envelopes.forEach(sessions::add);
    }
  }

  private static void addIfNotEmpty(
      List<Envelope> envelopes, JsonObject json, String type, SourcePlace place) {
    if (!json.isEmpty()) {
      envelopes.add(new Envelope(json, type, place, true));
    }
  }
}
