package dev.agentreplay.engine.published;

import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.model.json.JsonPointer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that a line of a published copy does not show as it was recorded.
 *
 * @param pointer the place in the line, whose name is shown
 * @param rule the rule that replaced the value by the one that is shown; null if none is shown
 */
public record WithheldValue(JsonPointer pointer, @Nullable String rule) {

  /** Checks for null. */
  public WithheldValue {
    Objects.requireNonNull(pointer, "pointer");
  }

  /** Whether a text that was changed is shown in place of the value. */
  public boolean isReplaced() {
    return rule != null && !rule.equals(Opening.Withheld.POLICY) && !isHash();
  }

  /** Whether the value is a hash that is a commitment, or was computed from what is shown. */
  public boolean isHash() {
    return isHash(rule);
  }

  /** Whether a rule replaces hashes. */
  public static boolean isHash(@Nullable String rule) {
    return Opening.Withheld.COMMITMENT.equals(rule) || Opening.Withheld.RECOMPUTED.equals(rule);
  }
}
