package dev.agentreplay.convert.trace.langfuse;

import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.span.Span.Envelope;
import dev.agentreplay.convert.trace.span.SpanSessions;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the observations in a document or a line: observations themselves, traces with them, or
 * pages of either as the API answers them.
 */
final class LangfuseDocument {

  private static final String OBSERVATIONS = "observations";
  private static final String DATA = "data";

  private final SpanSessions sessions;

  LangfuseDocument(SpanSessions sessions) {
    this.sessions = sessions;
  }

  /** Whether a value holds observations. */
  static boolean isRecognized(@Nullable JsonValue value) {
    if (value instanceof JsonArray array) {
      return array.size() > 0 && array.get(0) instanceof JsonObject first && isRecognized(first);
    }
    return value instanceof JsonObject object
        && (ObservationForm.isObservation(object)
            || isObservations(object.get(OBSERVATIONS))
            || isRecognized(object.get(DATA)));
  }

  private static boolean isObservations(@Nullable JsonValue value) {
    return value instanceof JsonArray array
        && array.size() > 0
        && array.get(0) instanceof JsonObject first
        && ObservationForm.isObservation(first);
  }

  /** Adds the observations of a value, and what else it holds. */
  void add(JsonValue value, SourcePlace place) {
    if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        add(array.get(i), place.child(JsonPointer.ROOT.append(i)));
      }
    } else if (!(value instanceof JsonObject json)) {
      sessions.add(Envelope.unknown(value, place));
    } else if (ObservationForm.isObservation(json)) {
      sessions.add(ObservationForm.parse(json, place, List.of()));
    } else if (json.get(OBSERVATIONS) instanceof JsonArray observations) {
      addTrace(json, observations, place);
    } else if (isRecognized(json.get(DATA))) {
      add(Objects.requireNonNull(json.get(DATA)), place.child(JsonPointer.ROOT.append(DATA)));
      JsonObject rest = json.without(DATA);
      if (!rest.isEmpty()) {
        sessions.add(Envelope.of(rest, "page", place));
      }
    } else {
      sessions.add(Envelope.unknown(json, place));
    }
  }

  private void addTrace(JsonObject json, JsonArray observations, SourcePlace place) {
    JsonObject rest = json.without(OBSERVATIONS);
    Envelope trace = Envelope.of(rest, "trace", place);
    List<Envelope> envelopes = rest.isEmpty() ? List.of() : List.of(trace);
    boolean hasObservations = false;
    for (int i = 0; i < observations.size(); i++) {
      SourcePlace here = place.child(JsonPointer.ROOT.append(OBSERVATIONS).append(i));
      if (observations.get(i) instanceof JsonObject observation
          && ObservationForm.isObservation(observation)) {
        sessions.add(ObservationForm.parse(observation, here, envelopes));
        hasObservations = true;
      } else {
        sessions.add(Envelope.unknown(observations.get(i), here));
      }
    }
    if (!hasObservations) {
      envelopes.forEach(sessions::add);
    }
  }
}
