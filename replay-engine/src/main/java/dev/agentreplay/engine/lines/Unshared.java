package dev.agentreplay.engine.lines;

import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A value that two lines do not both show.
 *
 * @param pointer its place in the lines
 * @param left the value or its replacement in the left line; null if there is none
 * @param right the value or its replacement in the right line; null if there is none
 * @param ofLeft the reason of the left line for not showing it; null if it does, or has none
 * @param ofRight the reason of the right line for not showing it; null if it does, or has none
 */
public record Unshared(
    JsonPointer pointer,
    @Nullable JsonValue left,
    @Nullable JsonValue right,
    @Nullable Reason ofLeft,
    @Nullable Reason ofRight) {

  /**
   * The reason of a published copy for not showing a value.
   *
   * @param policy the id of the policy of the copy
   * @param rule the rule that replaced the value; null if nothing is shown in its place
   */
  public record Reason(String policy, @Nullable String rule) {}

  /** The same at a different place. */
  Unshared at(JsonPointer place) {
    return new Unshared(place, left, right, ofLeft, ofRight);
  }
}
