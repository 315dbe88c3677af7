package dev.agentreplay.verify;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a verifier insists on, and how much it lists.
 *
 * @param requirements what must have been checked for a session to be valid
 * @param maxFindings how many findings of one code are listed; all are counted
 */
public record VerifyPolicy(Set<Requirement> requirements, int maxFindings) {

  /** How many findings of one code are listed by default. */
  public static final int DEFAULT_MAX_FINDINGS = 100;

  /** Copies and checks. */
  public VerifyPolicy {
    if (maxFindings < 0) {
      throw new IllegalArgumentException(
          "maximum of findings must not be negative: " + maxFindings);
    }
    Set<Requirement> copy = EnumSet.noneOf(Requirement.class);
    copy.addAll(requirements);
    requirements = Collections.unmodifiableSet(copy);
  }

  /** Insists on nothing, and lists {@value #DEFAULT_MAX_FINDINGS} findings of a code. */
  public static VerifyPolicy defaults() {
    return new VerifyPolicy(Set.of(), DEFAULT_MAX_FINDINGS);
  }

  /** Insists on these. */
  public VerifyPolicy withRequirements(Set<Requirement> newRequirements) {
    return new VerifyPolicy(newRequirements, maxFindings);
  }

  /** Lists so many findings of one code. */
  public VerifyPolicy withMaxFindings(int newMaxFindings) {
    return new VerifyPolicy(requirements, newMaxFindings);
  }
}
