package dev.agentreplay.engine.diff;

import java.util.Objects;

/**
 * A rule that a comparison was made under, and how often it made a difference.
 *
 * @param rule the rule in words, such as {@code ignore timestamps}
 * @param left how many places of the left session it applied to
 * @param right how many places of the right session it applied to
 */
public record AppliedRule(String rule, long left, long right) {

  /** Checks for null. */
  public AppliedRule {
    Objects.requireNonNull(rule, "rule");
  }
}
