package dev.agentreplay.engine.diff.rule;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reason why two texts that differ count as close.
 *
 * <p>Where a value is told as a whole, since there is too much to say of the places in it, and all
 * that differs there is close, it is close by the lowest similarity.
 *
 * @param rule the rule that says so; for a whole value all of them, joined by {@code " and "}
 * @param similarity the similarity of the texts, from 0.0 to 1.0; null when the rule has no measure
 * @param reason the reason that a {@link SemanticComparator} gave; null when it gave none
 */
public record Closeness(String rule, @Nullable Double similarity, @Nullable String reason) {

  /** Checks for null. */
  public Closeness {
    Objects.requireNonNull(rule, "rule");
  }
}
