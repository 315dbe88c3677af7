package dev.agentreplay.engine.diff;

import java.util.Objects;

/**
 * The severity of a divergence, and the rule that says so; a {@link SeverityPolicy} makes it.
 *
 * @param severity the severity; a divergence of severity {@code NONE} leaves two sessions identical
 * @param rule the name of the rule
 */
public record SeverityRating(DivergenceSeverity severity, String rule) {

  /** Checks for null. */
  public SeverityRating {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(rule, "rule");
  }
}
