package dev.agentreplay.engine.diff;

import org.jspecify.annotations.Nullable;

/**
 * The reason why two texts that differ count as close.
 *
 * <p>Where a value is told as a whole, since there is too much to say of the places in it, and all
 * that differs there is close, it is close by the lowest similarity.
 */
public sealed interface Closeness permits Results.ClosenessData {

  /** The rule that says so; for a whole value all of them, joined by {@code " and "}. */
  String rule();

  /** The similarity of the texts, from 0.0 to 1.0; null when the rule has no measure. */
  @Nullable
  Double similarity();

  /**
   * The reason that a {@link dev.agentreplay.engine.diff.rule.SemanticComparator} gave; null when
   * it gave none.
   */
  @Nullable
  String reason();
}
