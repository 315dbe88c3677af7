/**
 * Compares one session with several others, and tells a step that changed from a flaky one, which
 * differs in every run.
 *
 * <pre>{@code
 * FlakinessReport report = FlakinessReport.of(List.of(
 *     SessionDiff.between(recording, Session.open(before)),
 *     SessionDiff.between(recording, Session.open(after))));
 * report.unstable().forEach(step -> System.out.println(step.stability() + " " + step.left()));
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.engine.agreement.StepStability} says of a step which runs agree in
 * it, and its {@link dev.agentreplay.engine.agreement.Stability} what that means. Reports are made
 * by {@link dev.agentreplay.engine.report}.
 */
@NullMarked
package dev.agentreplay.engine.agreement;

import org.jspecify.annotations.NullMarked;
