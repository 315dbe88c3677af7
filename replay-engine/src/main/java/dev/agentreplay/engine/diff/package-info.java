/**
 * Compares sessions, and says where two part ways.
 *
 * <pre>{@code
 * DiffOptions options = DiffOptions.defaults()
 *     .plus(Ignore.timestamps(), Normalizer.temporaryFolders());
 * SessionDiff diff = SessionDiff.between(Session.open(before), Session.open(after), options);
 * for (Divergence divergence : diff.divergences()) {
 *   System.out.println(divergence.severity() + " " + divergence.kind() + " " + divergence.step());
 * }
 * }</pre>
 *
 * <p>A comparison is a pipeline of values:
 *
 * <ol>
 *   <li><b>Steps.</b> A session is read as {@link dev.agentreplay.engine.diff.Step}s: a call with
 *       its result, a turn of the model, a verification, the state of a file and so on. What is
 *       compared is the conduct of a session. Its identity and its clock, which are others in every
 *       run, are counted, and compared only in a strict comparison; so are the values that a clock
 *       or a source of random numbers gave. Checkpoints and the parts of a log are no conduct.
 *   <li><b>Normalise.</b> {@link dev.agentreplay.engine.diff.rule.ComparisonRule}s leave out what
 *       is not compared, and bring texts to a common form. By default there is none: canonical JSON
 *       is compared exactly.
 *   <li><b>Align.</b> Equal steps are put beside each other in the longest order that both have; of
 *       the others, those that were moved are found, and between them those that are most alike are
 *       partners ({@link dev.agentreplay.engine.diff.AlignedStep}). Calls that ran at the same time
 *       may stand in any order.
 *   <li><b>Compare.</b> Partners that are not equal are read again, and compared place by place:
 *       {@link dev.agentreplay.engine.diff.ValueChange},
 *       {@link dev.agentreplay.engine.diff.EventChange}.
 *   <li><b>Classify.</b> Each {@link dev.agentreplay.engine.diff.Divergence} has a kind, a severity
 *       by {@link dev.agentreplay.engine.diff.SeverityPolicy}, and a cause: whether it is where the
 *       sessions part, follows from an earlier one, or stands by itself.
 * </ol>
 *
 * <p>{@link dev.agentreplay.engine.agreement.FlakinessReport} puts several comparisons with one
 * session together, and tells a step that changed from one that is another in every run. Reports of
 * both are made by {@link dev.agentreplay.engine.report}.
 *
 * <p>Which session is the left one makes no difference but for the side. A log is read once for its
 * steps, of which some hundred bytes each are kept, and what differs is read again; the values of
 * the divergences that are listed stay in memory. A log that cannot be read ends a comparison with
 * the exception of its reader; nothing is passed over. Results are immutable values, safe to share
 * between threads.
 */
@NullMarked
package dev.agentreplay.engine.diff;

import org.jspecify.annotations.NullMarked;
