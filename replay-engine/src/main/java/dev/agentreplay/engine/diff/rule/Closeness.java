package dev.agentreplay.engine.diff.rule;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reason why two texts that differ count as close.
 *
 * <p>An array or object that is reported as a whole is close if all differences in it are; its
 * similarity is then the lowest of theirs.
 *
 * @param rule the name of the rule, {@code fuzzy} or {@code semantic}; for a whole value all names,
 *     joined by {@code " and "}
 * @param similarity the similarity of the texts, from 0.0 to 1.0; null when the rule does not
 *     measure it
 * @param reason the reason that a {@link SemanticComparator} gave; null when there is none
 */
public record Closeness(String rule, @Nullable Double similarity, @Nullable String reason) {

  /** Checks for null. */
  public Closeness {
    Objects.requireNonNull(rule, "rule");
  }
}
