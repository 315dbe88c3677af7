package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ContentHash;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A step of one session next to its partner in the other. The alignment of two sessions holds every
 * step once, in the order of both sessions; steps that were moved, or ran concurrently with others,
 * are at their position in one of the two.
 */
public sealed interface AlignedStep permits Results.AlignedStepData {

  /** The relation of a step to its partner. */
  enum Relation {
    /** The steps are equal under the rules: they have no difference that matters. */
    MATCHED,
    /** The steps differ. */
    CHANGED,
    /** The steps are equal, but in a different order. */
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

  /**
   * The relation of the two steps. It is {@code MISSING} or {@code ADDED} if and only if the step
   * has no partner.
   */
  Relation relation();

  /** The step in each session. */
  Sides<Step> sides();

  /**
   * The number of the divergence ({@link Divergence#number}) that the step is part of; null when it
   * is not part of one.
   */
  @Nullable
  Integer divergence();

  /**
   * The fingerprint of its divergence if that is accepted ({@link DiffOptions#accepting}), also of
   * one that is not listed; null for any other step. The fingerprint of a moved block is that of
   * its first step.
   */
  @Nullable
  ContentHash accepted();

  /** The step in the left session; null when it was added. */
  default @Nullable Step left() {
    return sides().left();
  }

  /** The step in the right session; null when it is missing. */
  default @Nullable Step right() {
    return sides().right();
  }

  /** The step in the left session or, if it was added, in the right one. */
  default Step step() {
    return sides().any();
  }
}
