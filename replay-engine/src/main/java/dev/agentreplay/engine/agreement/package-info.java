/**
 * Compares one session with several others, and tells a step that changed from one that is another
 * in every run.
 *
 * <pre>{@code
 * FlakinessReport agreement = FlakinessReport.of(List.of(
 *     SessionDiff.between(expected, first), SessionDiff.between(expected, second)));
 * agreement.unstable().forEach(step -> System.out.println(step.stability() + " " + step.left()));
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.engine.agreement.StepStability} says of a step which runs agree in
 * it, and its {@link dev.agentreplay.engine.agreement.Stability} what that means. Reports are made
 * by {@link dev.agentreplay.engine.report}.
 */
@NullMarked
package dev.agentreplay.engine.agreement;

import org.jspecify.annotations.NullMarked;
