package dev.agentreplay.engine.diff;

import java.util.Objects;

/** The severity of a divergence, and the rule that says so. */
public sealed interface SeverityRating permits Results.SeverityRatingData {

  /** The rating that a {@link SeverityPolicy} gives by a rule of this name. */
  static SeverityRating of(DivergenceSeverity severity, String rule) {
    return new Results.SeverityRatingData(
        Objects.requireNonNull(severity, "severity"), Objects.requireNonNull(rule, "rule"));
  }

  /** The severity; a divergence of severity {@code NONE} leaves two sessions identical. */
  DivergenceSeverity severity();

  /** The name of the rule. */
  String rule();
}
