package dev.agentreplay.engine.diff;

import java.util.Objects;

/**
 * How much a divergence matters, and why.
 *
 * @param severity how much; a divergence of severity {@code NONE} leaves two sessions identical
 * @param rule the name of the rule that says so
 */
public record SeverityRating(DivergenceSeverity severity, String rule) {

  /** Checks for null. */
  public SeverityRating {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(rule, "rule");
  }
}
