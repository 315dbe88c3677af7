package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How two sessions differ in what they did.
 *
 * @param left the session before
 * @param right the session after
 * @param summary the comparison in numbers
 * @param first where the calls of the sessions part; null when no call differs
 * @param divergences the differences in order, at most as many as the options say
 * @param alignment all steps, each beside its partner
 * @param rules the rules it was made under, and how often each applied
 */
public record SessionDiff(
    ComparedSession left,
    ComparedSession right,
    DiffSummary summary,
    @Nullable First first,
    List<Divergence> divergences,
    List<AlignedStep> alignment,
    List<AppliedRule> rules) {

  /**
   * Where the tool calls of two sessions part.
   *
   * @param call how many calls at the beginning are equal: the number, from 0, of the first that is
   *     not, of those that are compared. Calls that ran at the same time may stand in any order
   * @param kind the kind of the divergence
   */
  public record First(int call, DivergenceKind kind) {

    /** Checks for null. */
    public First {
      Objects.requireNonNull(kind, "kind");
    }
  }

  /** Checks for null and copies. */
  public SessionDiff {
    Objects.requireNonNull(left, "left");
    Objects.requireNonNull(right, "right");
    Objects.requireNonNull(summary, "summary");
    divergences = List.copyOf(divergences);
    alignment = List.copyOf(alignment);
    rules = List.copyOf(rules);
  }

  /** Compares two sessions exactly. */
  public static SessionDiff between(Session left, Session right) throws IOException {
    return between(left, right, DiffOptions.exact());
  }

  /**
   * Compares two sessions.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of one cannot be read
   * @throws NothingRecordedException if a log has no events, or neither has one after its start
   * @throws DiffLimitException if one has more steps than the options allow
   * @throws RunawayPatternException if a regular expression of a rule takes too long for a text
   */
  public static SessionDiff between(Session left, Session right, DiffOptions options)
      throws IOException {
    return SessionComparison.compare(left, right, options);
  }

  /** With other names of the sessions, for reports. */
  public SessionDiff withNames(String leftName, String rightName) {
    return new SessionDiff(
        left.withName(leftName),
        right.withName(rightName),
        summary,
        first,
        divergences,
        alignment,
        rules);
  }

  /** Whether nothing differs that matters: all divergences are of severity {@code NONE}. */
  public boolean isIdentical() {
    return summary.divergencesBySeverity().keySet().stream()
        .allMatch(severity -> severity == DivergenceSeverity.NONE);
  }

  /** The first of the listed divergences that matters; null when none of them does. */
  public @Nullable Divergence cause() {
    return divergences.stream()
        .filter(divergence -> divergence.severity() != DivergenceSeverity.NONE)
        .findFirst()
        .orElse(null);
  }

  /** The first of the listed divergences of the greatest severity; null when none is listed. */
  public @Nullable Divergence worst() {
    return divergences.stream()
        .max(Comparator.comparing(Divergence::severity)
            .thenComparing(Divergence::number, Comparator.reverseOrder()))
        .orElse(null);
  }

  /**
   * How alike the sessions are, from 0.0 to 100.0: twice the pairs that are equal, and once those
   * of the same name that differ or were moved, as a share of all steps; 100.0 only for sessions
   * without divergences.
   */
  public double similarity() {
    long all = (long) summary.steps().left() + summary.steps().right();
    if (all == 0) {
      return 100;
    }
    long alike = alignment.stream()
        .filter(pair -> pair.left() != null
            && pair.right() != null
            && pair.relation() != AlignedStep.Relation.MATCHED
            && pair.left().name().equals(pair.right().name()))
        .count();
    return 100.0 * (2L * summary.steps().matched() + alike) / all;
  }
}
