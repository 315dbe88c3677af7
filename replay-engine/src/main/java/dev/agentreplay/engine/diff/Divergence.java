package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ContentHash;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A difference between two sessions: a step that is missing, added or changed, or a block of steps
 * that was moved.
 */
public sealed interface Divergence permits Results.DivergenceData {

  /** The role of a divergence among the others. */
  enum Role {
    /**
     * The root cause: the first divergence of a severity other than {@code NONE} that does not
     * follow from a different one.
     */
    ROOT,
    /** It follows from an earlier divergence, according to the recordings. */
    DOWNSTREAM,
    /** Nothing in the recordings connects it to an earlier divergence. */
    INDEPENDENT;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The evidence that a divergence is downstream of an earlier one. */
  enum Link {
    /** The model call is different: its model, prompt or parameters. */
    PROMPT,
    /** A value that differs here differed in the same way there. */
    VALUE,
    /** It is the end of the session, which depends on everything before. */
    END,
    /**
     * The sessions have not converged in between: no call and no turn between the two is matched in
     * the lane.
     */
    ADJACENT,
    /** It is the result of a call that started a lane, and that lane diverged before the result. */
    LANE;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The cause of a divergence: the earlier divergence that it is downstream of, if any. */
  sealed interface Cause permits Results.CauseData {

    /** The role of the divergence among the others. */
    Role role();

    /**
     * The number of the divergence that it follows from; null unless it is downstream. It may be
     * greater than its own for {@link Link#LANE}: a call is listed before the lane that it started.
     */
    @Nullable
    Integer divergence();

    /** The evidence that it follows from that divergence; null unless it is downstream. */
    @Nullable
    Link link();

    /** The number of divergences that are downstream of it, directly or indirectly. */
    int followers();
  }

  /** Its number among all divergences, in order, from 0. */
  int number();

  /** The kind of the difference. */
  DivergenceKind kind();

  /** Its severity and the rule that determined it. */
  SeverityRating rating();

  /** Its role and the divergence that it follows from. */
  Cause cause();

  /** The step in each session; the first step of a block that was moved. */
  Sides<Step> sides();

  /** The number of steps: more than 1 for a block that was moved, otherwise 1. */
  int size();

  /**
   * The events that differ, first the one with the difference of this {@link #kind}; empty for a
   * block that was moved.
   */
  List<EventChange> changes();

  /**
   * The hash of what identifies the divergence and of what the step changed to, as the rules leave
   * it: it is the same in each comparison that finds the same difference, whatever its number and
   * line, and different if the new value is. {@code docs/diffing.md} has the formula. Null only for
   * a divergence of withheld values, which cannot be accepted.
   */
  @Nullable
  ContentHash fingerprint();

  /**
   * The rating that an accepted divergence would have; null if it is not accepted
   * ({@link DiffOptions#accepting}). The severity of an accepted one is {@code NONE}.
   */
  @Nullable
  SeverityRating accepted();

  /** Its severity. */
  default DivergenceSeverity severity() {
    return rating().severity();
  }

  /** Its role among the others. */
  default Role role() {
    return cause().role();
  }

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

  /** The line in each log of the event that differs, from 1; null on a side without that event. */
  default Sides<Long> lines() {
    return changes().isEmpty()
        ? sides().map(Step::line)
        : changes().get(0).sides().map(EventChange.Event::line);
  }

  /** The places that differ in all of its events; empty when whole steps differ. */
  default List<ValueChange> values() {
    return changes().stream().flatMap(change -> change.values().stream()).toList();
  }

  /** The first place that differs; null when whole steps or their order differ. */
  default @Nullable ValueChange firstChange() {
    return changes().isEmpty() || changes().get(0).values().isEmpty()
        ? null
        : changes().get(0).values().get(0);
  }
}
