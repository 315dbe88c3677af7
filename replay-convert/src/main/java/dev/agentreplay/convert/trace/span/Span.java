package dev.agentreplay.convert.trace.span;

import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A span, whatever form the source has it in. Immutable.
 *
 * @param source the JSON of the span, with its place
 * @param name the name; empty if it states none
 * @param link the ids that make the tree
 * @param times the times
 * @param status the status
 * @param events the events within the span, such as exceptions
 */
public record Span(
    Source source, String name, Link link, Times times, Status status, List<Event> events) {

  /** Copies the events. */
  public Span {
    events = List.copyOf(events);
  }

  /**
   * The JSON of a span. Lists of named values, which several forms have in place of an object, are
   * objects in it.
   *
   * @param json the span
   * @param place the place of the span in the source
   * @param hash the hash of the span as the source has it
   * @param attributesAt the path to the attributes in {@code json}
   * @param restated the paths of the values of the source that {@code json} states differently
   * @param envelopes the facts that the source states for several spans at once, such as their
   *     resource
   */
  public record Source(
      JsonObject json,
      SourcePlace place,
      ContentHash hash,
      List<String> attributesAt,
      List<List<String>> restated,
      List<Envelope> envelopes) {

    /** Copies the lists. */
    public Source {
      attributesAt = List.copyOf(attributesAt);
      restated = List.copyOf(restated);
      envelopes = List.copyOf(envelopes);
    }
  }

  /**
   * The facts that the source states for several spans at once.
   *
   * @param type the type of the record, such as {@code resource}
   * @param isKnown whether the reader knows such records
   * @param restated the paths of the values of the source that {@code json} states differently
   */
  public record Envelope(
      JsonObject json,
      String type,
      SourcePlace place,
      boolean isKnown,
      List<List<String>> restated) {

    /** Copies the paths. */
    public Envelope {
      restated = List.copyOf(restated);
    }

    /** Creates an envelope that states all values as the source does. */
    public static Envelope of(JsonObject json, String type, SourcePlace place) {
      return new Envelope(json, type, place, true, List.of());
    }

    /** Creates an envelope for a value that the reader does not know. */
    public static Envelope unknown(JsonValue value, SourcePlace place) {
      JsonObject json = value instanceof JsonObject object ? object : JsonObject.of("value", value);
      return new Envelope(json, "unknown", place, false, List.of());
    }
  }

  /**
   * The ids of a span.
   *
   * @param trace the id of the trace; empty if it states none
   * @param id the id of the span; null if it states none
   * @param parent the id of the span that contains it; null for the root of a trace
   */
  public record Link(String trace, @Nullable String id, @Nullable String parent) {}

  /**
   * The times of a span.
   *
   * @param members the members of its JSON that state them
   */
  public record Times(@Nullable Instant start, @Nullable Instant end, List<String> members) {}

  /** The states of a span. */
  public enum State {
    /** The span does not state whether it succeeded. */
    UNSET,
    /** The span states that it succeeded. */
    OK,
    /** The span states that it failed. */
    ERROR
  }

  /** The state of a span, with the message of an error. */
  public record Status(State state, @Nullable String message) {

    /** Whether the span states that it failed. */
    public boolean isError() {
      return state == State.ERROR;
    }
  }

  /** An event within a span. */
  public record Event(String name, JsonObject attributes) {}

  /** The attributes by their names. */
  public JsonObject attributes() {
    JsonValue value = source.json();
    for (String name : source.attributesAt()) {
      value = value instanceof JsonObject object ? object.get(name) : null;
    }
    return value instanceof JsonObject object ? object : JsonObject.EMPTY;
  }
}
