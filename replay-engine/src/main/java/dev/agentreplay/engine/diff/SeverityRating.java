package dev.agentreplay.engine.diff;

import java.util.Objects;

/**
 * The severity of a divergence and the rule that determined it, as a {@link SeverityPolicy} returns
 * them.
 *
 * @param severity the severity; two sessions whose divergences all have the severity {@code NONE}
 *     are identical
 * @param rule the name of the rule, for reports
 */
public record SeverityRating(DivergenceSeverity severity, String rule) {

  /** Checks for null. */
  public SeverityRating {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(rule, "rule");
  }
}
