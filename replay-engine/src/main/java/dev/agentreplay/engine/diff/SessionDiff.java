package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of comparing two sessions: divergences, the alignment of all steps, and counts.
 * Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * SessionDiff diff = SessionDiff.between(Session.open(before), Session.open(after));
 * System.out.print(TextReport.render(diff));
 * }</pre>
 */
public sealed interface SessionDiff permits Results.SessionDiffData {

  /** The first tool call at which two sessions diverge. */
  sealed interface First permits Results.FirstData {

    /**
     * The number of leading calls that are matched, and so the number, from 0, of the first call
     * that is not, among the calls that are compared. The order of concurrent calls is not
     * significant.
     */
    int call();

    /** The kind of the divergence at that call. */
    DivergenceKind kind();
  }

  /** The left session, usually the recording from before a change. */
  ComparedSession left();

  /** The right session, usually the recording from after a change. */
  ComparedSession right();

  /** The counts of the comparison. */
  DiffSummary summary();

  /**
   * The first tool call at which the sessions diverge; null when no call is missing, added, moved,
   * or different in tool, parameters, outcome or output.
   */
  @Nullable
  First first();

  /**
   * The divergences in the order of the sessions, at most as many as the options allow. Those of
   * steps of which only withheld values are not known to be equal come after all others.
   */
  List<Divergence> divergences();

  /** All steps, each with its partner. */
  List<AlignedStep> alignment();

  /** The rules of the comparison, each with the number of places that it applied to. */
  List<AppliedRule> rules();

  /** The lowest severity of a divergence with which the comparison fails; minor by default. */
  DivergenceSeverity failOn();

  /**
   * The fingerprints of the accepted divergences that the comparison found, listed or not
   * ({@link DiffOptions#accepting}).
   */
  Set<ContentHash> accepted();

  /** The accepted fingerprints that no divergence of the comparison has. */
  Set<ContentHash> notFound();

  /**
   * Compares two sessions with the default options: exactly, under no rules.
   *
   * @throws IOException as {@link #between(Session, Session, DiffOptions)} does
   */
  static SessionDiff between(Session left, Session right) throws IOException {
    return between(left, right, DiffOptions.defaults());
  }

  /**
   * Compares two sessions.
   *
   * @param left the session to compare with, such as the recording from before a change
   * @param right the session to compare
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of a log cannot be read
   * @throws NothingRecordedException if a log has no events, or neither log has an event after the
   *     start of its session
   * @throws DiffLimitException if a session has more steps than the options allow
   * @throws RunawayPatternException if the regular expression of a rule takes too long for a text
   * @throws IOException if a log or a blob cannot be read, or changes while it is compared
   */
  static SessionDiff between(Session left, Session right, DiffOptions options) throws IOException {
    return SessionComparison.compare(left, right, options);
  }

  /** Returns this diff with different names of the sessions, for reports. */
  default SessionDiff withNames(String leftName, String rightName) {
    return new Results.SessionDiffData(
        Results.renamed(left(), leftName),
        Results.renamed(right(), rightName),
        summary(),
        first(),
        divergences(),
        alignment(),
        rules(),
        failOn(),
        accepted(),
        notFound());
  }

  /**
   * Whether the sessions are identical under the rules: all divergences have the severity
   * {@code NONE}, as those that are {@link #accepted} have. If one is a published copy, this is
   * stated of the values that both show; {@link DiffSummary#withheld} and
   * {@link DiffSummary#replaced} count the others.
   */
  default boolean isIdentical() {
    return summary().divergencesBySeverity().keySet().stream()
        .allMatch(severity -> severity == DivergenceSeverity.NONE);
  }

  /**
   * Whether the comparison passes: no divergence, listed or not, is as severe as
   * {@link DiffOptions#failOn}. Identical sessions always pass.
   */
  default boolean passes() {
    return summary().divergencesBySeverity().keySet().stream()
        .allMatch(severity -> severity.compareTo(failOn()) < 0);
  }

  /**
   * The root cause or, if it is not listed, the first listed divergence of a severity other than
   * {@code NONE}; null when there is none.
   */
  default @Nullable Divergence cause() {
    return divergences().stream()
        .filter(divergence -> divergence.severity() != DivergenceSeverity.NONE)
        .min(Comparator.comparing(divergence -> divergence.role() != Divergence.Role.ROOT))
        .orElse(null);
  }

  /** The first listed divergence of the greatest severity; null when none is listed. */
  default @Nullable Divergence worst() {
    return divergences().stream()
        .max(Comparator.comparing(Divergence::severity)
            .thenComparing(Divergence::number, Comparator.reverseOrder()))
        .orElse(null);
  }

  /**
   * The similarity of the sessions, from 0.0 to 100.0: both steps of each matched pair, and one
   * step of each changed or moved pair of the same name, as a percentage of the steps of both
   * sessions. It is 100.0 only if all steps are matched, or there are no steps.
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
