/**
 * Attribution: which of the differences between two recordings made their outcomes differ. An agent
 * runs on one recording with some of the other's values (answers, prompts, parameters, the model,
 * nondeterministic values), and delta debugging (Zeller and Hildebrandt, 2002) finds a minimal set
 * of them with which it reaches the other's outcome.
 *
 * <pre>{@code
 * AttributionReport report = Attribution.between(Session.open(before), Session.open(after))
 *     .outcome(SessionOutcome.answer())
 *     .run(agent);
 * System.out.print(AttributionText.render(report));
 * }</pre>
 *
 * <p>Each trial is a {@linkplain dev.agentreplay.engine.fork.Fork fork}, recorded as a session.
 * Requests are answered by both recordings and by earlier trials, and executed only if none of them
 * has the request. Reports are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.engine.attribution;

import org.jspecify.annotations.NullMarked;
