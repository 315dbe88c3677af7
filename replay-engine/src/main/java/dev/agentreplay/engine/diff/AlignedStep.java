package dev.agentreplay.engine.diff;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A step of one session beside its partner in the other. In the alignment of two sessions each step
 * stands once, in the order that both have; those that were moved, or ran at the same time as
 * others, where one of the two has them.
 */
public sealed interface AlignedStep permits Results.AlignedStepData {

  /** How a step is related to its partner. */
  enum Relation {
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

  /** The relation of the two steps: {@code MISSING} and {@code ADDED} exactly of single ones. */
  Relation relation();

  /** The step in each session. */
  Sides<Step> sides();

  /** The number of the divergence that it is part of; null when it is part of none. */
  @Nullable
  Integer divergence();

  /** The step in the left session; null when it was added. */
  default @Nullable Step left() {
    return sides().left();
  }

  /** The step in the right session; null when it is missing. */
  default @Nullable Step right() {
    return sides().right();
  }

  /** The step in the left session, or else in the right one. */
  default Step step() {
    return sides().any();
  }
}
