/**
 * Compares two sessions and lists the divergences between them with their root cause.
 *
 * <pre>{@code
 * DiffOptions options = DiffOptions.defaults()
 *     .plus(Ignore.timestamps(), Normalizer.temporaryFolders());
 * SessionDiff diff = SessionDiff.between(Session.open(before), Session.open(after), options);
 * for (Divergence divergence : diff.divergences()) {
 *   System.out.println(divergence.severity() + " " + divergence.kind() + " "
 *       + divergence.step().name());
 * }
 * }</pre>
 *
 * <p>A diff is computed in five stages:
 *
 * <ol>
 *   <li><b>Read.</b> A session is read as a sequence of {@link dev.agentreplay.engine.diff.Step}s:
 *       a tool call with its result, a model call with its result, a verification, the state of a
 *       file and so on. The behavior of the agent is compared. Ids, times and latencies, which are
 *       different in every run, are only counted; a strict comparison compares them too, and also
 *       recorded values of clocks and random generators. Headers, checkpoints and the segments of a
 *       log are not compared.
 *   <li><b>Normalize.</b> {@link dev.agentreplay.engine.diff.rule.ComparisonRule}s remove ignored
 *       values and normalize texts. There are no rules by default: the canonical JSON of the values
 *       must be equal.
 *   <li><b>Align.</b> Equal steps are aligned on a common subsequence, which is the longest unless
 *       there are very many differences. Equal steps outside of it were moved. The steps in the
 *       gaps between them are paired by similarity (Needleman-Wunsch); see
 *       {@link dev.agentreplay.engine.diff.AlignedStep}. The order of concurrent calls is not
 *       significant.
 *   <li><b>Compare.</b> The events of pairs that are not equal are read again and compared member
 *       by member: {@link dev.agentreplay.engine.diff.ValueChange},
 *       {@link dev.agentreplay.engine.diff.EventChange}.
 *   <li><b>Classify.</b> Each {@link dev.agentreplay.engine.diff.Divergence} has a kind, a severity
 *       according to {@link dev.agentreplay.engine.diff.SeverityPolicy}, and a role: the root
 *       cause, downstream of an earlier divergence, or independent.
 * </ol>
 *
 * <p>{@link dev.agentreplay.engine.agreement.FlakinessReport} merges several comparisons with one
 * session and separates regressions from flaky steps. {@link dev.agentreplay.engine.report} renders
 * both.
 *
 * <p>A comparison is symmetric: exchanging the sessions exchanges only the sides of the result.
 * Each log is read once from beginning to end; about 1 KB is kept for each step, and the events
 * that differ are read again. The values of the listed divergences stay in memory, within
 * {@link dev.agentreplay.engine.diff.DiffLimits}. A log that cannot be read ends the comparison
 * with the exception of its reader; no line is skipped. Results are immutable and safe for use by
 * several threads; so are options, if their {@code SeverityPolicy} and {@code SemanticComparator}
 * are.
 */
@NullMarked
package dev.agentreplay.engine.diff;

import org.jspecify.annotations.NullMarked;
