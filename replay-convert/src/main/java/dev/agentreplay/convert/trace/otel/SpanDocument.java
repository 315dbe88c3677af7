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
import java.util.Objects;
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

  /** Whether one of the elements of an array is a resource with spans. */
  private static boolean isResource(JsonArray array) {
    return array.stream()
        .anyMatch(element -> element instanceof JsonObject resource
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
      sessions.add(Envelope.unknown(value, place));
    } else if (isEnvelope(json)) {
      addEnvelope(json, place);
    } else if (SpanForm.isSpan(json)) {
      sessions.add(SpanForm.parse(json, place, List.of()));
    } else {
      sessions.add(Envelope.unknown(json, place));
    }
  }

  private void addEnvelope(JsonObject json, SourcePlace place) {
    JsonObject rest = json;
    for (String name : RESOURCES) {
      if (json.get(name) instanceof JsonArray array && isResource(array)) {
        rest = rest.without(name);
        for (int i = 0; i < array.size(); i++) {
          JsonPointer at = JsonPointer.ROOT.append(name).append(i);
          if (array.get(i) instanceof JsonObject resource) {
            addResource(resource, place, at);
          } else {
            sessions.add(Envelope.unknown(array.get(i), place.child(at)));
          }
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
      sessions.add(Envelope.of(rest, "trace", place));
    }
  }

  private void addResource(JsonObject json, SourcePlace place, JsonPointer at) {
    List<Envelope> envelopes = new ArrayList<>();
    String[] scoped =
        SCOPES.stream().filter(name -> json.get(name) instanceof JsonArray).toArray(String[]::new);
    addIfNotEmpty(envelopes, Restated.of(json.without(scoped)), "resource", place.child(at));
    boolean hasSpans = false;
    for (String name : scoped) {
      JsonArray scopes = Objects.requireNonNull(json.get(name)).asArray();
      for (int i = 0; i < scopes.size(); i++) {
        hasSpans |= addScope(scopes.get(i), envelopes, place, at.append(name).append(i));
      }
    }
    if (!hasSpans) {
      envelopes.forEach(sessions::add);
    }
  }

  private boolean addScope(
      JsonValue value, List<Envelope> resource, SourcePlace place, JsonPointer at) {
    if (!(value instanceof JsonObject json) || !(json.get("spans") instanceof JsonArray spans)) {
      sessions.add(Envelope.unknown(value, place.child(at)));
      return false;
    }
    List<Envelope> envelopes = new ArrayList<>(resource);
    addIfNotEmpty(envelopes, Restated.of(json.without("spans")), "scope", place.child(at));
    boolean hasSpans = false;
    for (int i = 0; i < spans.size(); i++) {
      SourcePlace here = place.child(at.append("spans").append(i));
      if (spans.get(i) instanceof JsonObject span) {
        sessions.add(SpanForm.parse(span, here, envelopes));
        hasSpans = true;
      } else {
        sessions.add(Envelope.unknown(spans.get(i), here));
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
    List<Envelope> envelopes = new ArrayList<>();
    addIfNotEmpty(envelopes, Restated.of(json.without("spans")), "trace", place.child(at));
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
      List<Envelope> envelopes, Restated rest, String type, SourcePlace place) {
    if (!rest.json().isEmpty()) {
      envelopes.add(new Envelope(rest.json(), type, place, true, rest.paths()));
    }
  }
}
