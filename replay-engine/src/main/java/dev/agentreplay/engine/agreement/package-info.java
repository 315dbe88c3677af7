/**
 * Compares one session with several runs to separate regressions from flaky steps.
 *
 * <pre>{@code
 * FlakinessReport report = FlakinessReport.of(List.of(
 *     SessionDiff.between(recording, Session.open(before)),
 *     SessionDiff.between(recording, Session.open(after))));
 * report.unstable()
 *     .forEach(step -> System.out.println(step.stability() + " " + step.step().name()));
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.engine.agreement.StepStability} lists the counterparts of one step in
 * all runs, and its {@link dev.agentreplay.engine.agreement.Stability} classifies the step: stable,
 * flaky, unstable or regression. {@link dev.agentreplay.engine.report} renders the reports.
 *
 * <p>All types are immutable and safe for use by several threads. The result depends only on the
 * comparisons, never on the machine or the time.
 */
@NullMarked
package dev.agentreplay.engine.agreement;

import org.jspecify.annotations.NullMarked;
