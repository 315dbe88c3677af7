package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The difference between two sessions in their conduct. */
public sealed interface SessionDiff permits Results.SessionDiffData {

  /** The place where the tool calls of two sessions part. */
  sealed interface First permits Results.FirstData {

    /**
     * The number of calls at the beginning that are equal, and so the number, from 0, of the first
     * that is not, of those that are compared. Calls that ran at the same time may stand in any
     * order.
     */
    int call();

    /** The kind of the divergence. */
    DivergenceKind kind();
  }

  /** The session before. */
  ComparedSession left();

  /** The session after. */
  ComparedSession right();

  /** The comparison in numbers. */
  DiffSummary summary();

  /** The place where the calls of the sessions part; null when no call differs. */
  @Nullable
  First first();

  /** The differences in order, at most as many as the options say. */
  List<Divergence> divergences();

  /** All steps, each beside its partner. */
  List<AlignedStep> alignment();

  /** The rules of the comparison, and how often each applied. */
  List<AppliedRule> rules();

  /** Compares two sessions exactly. */
  static SessionDiff between(Session left, Session right) throws IOException {
    return between(left, right, DiffOptions.defaults());
  }

  /**
   * Compares two sessions.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of one cannot be read
   * @throws NothingRecordedException if a log has no events, or neither has one after its start
   * @throws DiffLimitException if one has more steps than the options allow
   * @throws RunawayPatternException if a regular expression of a rule takes too long for a text
   */
  static SessionDiff between(Session left, Session right, DiffOptions options) throws IOException {
    return SessionComparison.compare(left, right, options);
  }

  /** With other names of the sessions, for reports. */
  default SessionDiff withNames(String leftName, String rightName) {
    return new Results.SessionDiffData(
        Results.renamed(left(), leftName),
        Results.renamed(right(), rightName),
        summary(),
        first(),
        divergences(),
        alignment(),
        rules());
  }

  /** Whether nothing differs that matters: all divergences are of severity {@code NONE}. */
  default boolean isIdentical() {
    return summary().divergencesBySeverity().keySet().stream()
        .allMatch(severity -> severity == DivergenceSeverity.NONE);
  }

  /** The first of the listed divergences that matters; null when none of them does. */
  default @Nullable Divergence cause() {
    return divergences().stream()
        .filter(divergence -> divergence.severity() != DivergenceSeverity.NONE)
        .findFirst()
        .orElse(null);
  }

  /** The first of the listed divergences of the greatest severity; null when none is listed. */
  default @Nullable Divergence worst() {
    return divergences().stream()
        .max(Comparator.comparing(Divergence::severity)
            .thenComparing(Divergence::number, Comparator.reverseOrder()))
        .orElse(null);
  }

  /**
   * How alike the sessions are, from 0.0 to 100.0: twice the pairs that are equal, and once those
   * of the same name that differ or were moved, as a share of all steps; 100.0 only for sessions
   * without divergences.
   */
  default double similarity() {
    long all = (long) summary().steps().left() + summary().steps().right();
    if (all == 0) {
      return 100;
    }
    long alike = alignment().stream()
        .filter(pair -> pair.left() != null
            && pair.right() != null
            && pair.relation() != AlignedStep.Relation.MATCHED
            && pair.left().name().equals(pair.right().name()))
        .count();
    return 100.0 * (2L * summary().steps().matched() + alike) / all;
  }
}
