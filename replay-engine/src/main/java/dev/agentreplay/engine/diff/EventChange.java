package dev.agentreplay.engine.diff;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an event of one session differs from its partner.
 *
 * @param left the event in the left log; null when there is none
 * @param right the event in the right log; null when there is none
 * @param values where they differ, after the rules; none when one of them is missing
 * @param patch a JSON Patch (RFC 6902) that turns the left event into the right one, ids and times
 *     included; of an event that is missing or added, the whole event
 */
public record EventChange(
    @Nullable Event left, @Nullable Event right, List<ValueChange> values, JsonArray patch) {

  /**
   * An event as it was read.
   *
   * @param line its line, from 1
   * @param json what the line says; a value that is kept as a blob is not in it
   */
  public record Event(long line, JsonObject json) {

    /** Checks for null. */
    public Event {
      Objects.requireNonNull(json, "json");
    }
  }

  /** Checks for null and copies. */
  public EventChange {
    values = List.copyOf(values);
    Objects.requireNonNull(patch, "patch");
  }
}
