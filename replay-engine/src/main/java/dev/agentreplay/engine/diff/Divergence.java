package dev.agentreplay.engine.diff;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place where two sessions differ: a step that is missing, added or changed, or a block of steps
 * that stand elsewhere.
 *
 * @param number its number in the order of the sessions, from 0
 * @param kind how they differ
 * @param ruling how much it matters, and by which rule
 * @param cause what it follows from
 * @param left the step in the left session, of a block the first; null when it was added
 * @param right the step in the right session, of a block the first; null when it is missing
 * @param size how many steps it is about: more than 1 for a block that was moved
 * @param changes the events that differ, the first of them in what the kind says; none for a block
 *     that was moved
 */
public record Divergence(
    int number,
    DivergenceKind kind,
    SeverityRating ruling,
    Cause cause,
    @Nullable Step left,
    @Nullable Step right,
    int size,
    List<EventChange> changes) {

  /** Where a divergence stands among the others. */
  public enum Role {
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
  public enum Link {
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

  /**
   * What a divergence follows from, and what follows from it.
   *
   * @param role where it stands
   * @param divergence the number of the divergence that it follows from; null unless it is
   *     downstream
   * @param link why it is taken to follow from that; null unless it is downstream
   * @param followers how many divergences follow from it, directly or through others
   */
  public record Cause(Role role, @Nullable Integer divergence, @Nullable Link link, int followers) {

    /** Checks for null. */
    public Cause {
      Objects.requireNonNull(role, "role");
    }
  }

  /** Checks for null and copies. */
  public Divergence {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(ruling, "ruling");
    Objects.requireNonNull(cause, "cause");
    changes = List.copyOf(changes);
  }

  /** How much it matters. */
  public DivergenceSeverity severity() {
    return ruling.severity();
  }

  /** Where it stands among the others. */
  public Role role() {
    return cause.role();
  }

  /** The step in the left session, or else in the right one. */
  public Step step() {
    return left != null ? left : Objects.requireNonNull(right);
  }

  /**
   * The line in the left log of the event that it is about; null where that log has no such event,
   * though it may have the step.
   */
  public @Nullable Long leftLine() {
    if (changes.isEmpty()) {
      return left == null ? null : (Long) left.line();
    }
    EventChange.Event event = changes.get(0).left();
    return event == null ? null : (Long) event.line();
  }

  /** The line in the right log of the event that it is about; null where there is no such event. */
  public @Nullable Long rightLine() {
    if (changes.isEmpty()) {
      return right == null ? null : (Long) right.line();
    }
    EventChange.Event event = changes.get(0).right();
    return event == null ? null : (Long) event.line();
  }

  /** The places that differ in all of its events; none when it is about whole steps. */
  public List<ValueChange> values() {
    return changes.stream().flatMap(change -> change.values().stream()).toList();
  }

  /** The place that differs first; null when it is a whole step, or its order. */
  public @Nullable ValueChange firstChange() {
    return changes.isEmpty() || changes.get(0).values().isEmpty()
        ? null
        : changes.get(0).values().get(0);
  }
}
