package dev.agentreplay.engine.diff;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A step of one session beside its partner in the other. In the alignment of two sessions each step
 * stands once, in the order that both have; those that were moved, or ran at the same time as
 * others, where one of the two has them.
 *
 * @param relation how the two are related
 * @param left the step in the left session; null when it was added
 * @param right the step in the right session; null when it is missing
 * @param divergence the number of the divergence that it is part of; null when it is part of none
 */
public record AlignedStep(
    Relation relation, @Nullable Step left, @Nullable Step right, @Nullable Integer divergence) {

  /** How a step is related to its partner. */
  public enum Relation {
    /** They are equal, as the rules have it: they differ in nothing that matters. */
    MATCHED,
    /** They differ. */
    CHANGED,
    /** They are equal, and stand in another order. */
    MOVED,
    /** Only the left session has it. */
    MISSING,
    /** Only the right session has it. */
    ADDED;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks for null. */
  public AlignedStep {
    Objects.requireNonNull(relation, "relation");
    if (left == null && right == null) {
      throw new IllegalArgumentException("an aligned step is in one of the sessions at least");
    }
  }

  /** The step in the left session, or else in the right one. */
  public Step step() {
    return left != null ? left : Objects.requireNonNull(right);
  }
}
