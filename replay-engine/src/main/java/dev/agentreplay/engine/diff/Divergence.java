package dev.agentreplay.engine.diff;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A place where two sessions differ: a step that is missing, added or changed, or a block of steps
 * that stand elsewhere.
 */
public sealed interface Divergence permits Results.DivergenceData {

  /** Where a divergence stands among the others. */
  enum Role {
    /** It is the first: where the sessions part. */
    ROOT,
    /** What went into it differed already. */
    DOWNSTREAM,
    /** Nothing that is recorded connects it to one before. */
    INDEPENDENT;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Why a divergence is taken to follow from one before. */
  enum Link {
    /** The model was asked something else. */
    PROMPT,
    /** A value that differs here differed in the same way there. */
    VALUE,
    /** It is how the session ended, into which all of it went. */
    END,
    /** The sessions have not met again since: no call and no turn between the two is equal. */
    ADJACENT;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The divergence that another one follows from, and the number of those that follow. */
  sealed interface Cause permits Results.CauseData {

    /** The role of the divergence among the others. */
    Role role();

    /** The number of the divergence that it follows from; null unless it is downstream. */
    @Nullable
    Integer divergence();

    /** The reason why it is taken to follow from that; null unless it is downstream. */
    @Nullable
    Link link();

    /** The number of divergences that follow from it, directly or through others. */
    int followers();
  }

  /** Its number in the order of the sessions, from 0. */
  int number();

  /** The kind of the difference. */
  DivergenceKind kind();

  /** Its severity, and the rule that says so. */
  SeverityRating rating();

  /** The divergence that it follows from. */
  Cause cause();

  /** The step in each session, of a block the first. */
  Sides<Step> sides();

  /** The number of steps that it is about: more than 1 for a block that was moved. */
  int size();

  /**
   * The events that differ, the first of them in what the kind says; none for a block that was
   * moved.
   */
  List<EventChange> changes();

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

  /** The step in the left session, or else in the right one. */
  default Step step() {
    return sides().any();
  }

  /**
   * The line in each log of the event that it is about; a log that has the step, but not that
   * event, has none.
   */
  default Sides<Long> lines() {
    return changes().isEmpty()
        ? sides().map(Step::line)
        : changes().get(0).sides().map(EventChange.Event::line);
  }

  /** The places that differ in all of its events; none when it is about whole steps. */
  default List<ValueChange> values() {
    return changes().stream().flatMap(change -> change.values().stream()).toList();
  }

  /** The place that differs first; null when it is a whole step, or its order. */
  default @Nullable ValueChange firstChange() {
    return changes().isEmpty() || changes().get(0).values().isEmpty()
        ? null
        : changes().get(0).values().get(0);
  }
}
