/**
 * Recorded sessions for reading: calls with their results, turns, lanes, totals and costs.
 *
 * <pre>{@code
 * SessionView session = SessionView.read(Session.open(directory));
 * for (RecordedToolCall call : session.calls()) {
 *   System.out.println(call.call().tool() + " " + call.params() + " " + call.output());
 * }
 * System.out.println(session.totals().tokensIn());
 * }</pre>
 *
 * <p>{@link dev.agentreplay.engine.view.SessionView} holds the events of a session in memory.
 * {@link dev.agentreplay.engine.view.SessionSummary} and
 * {@link dev.agentreplay.engine.view.SessionStats} read a log of any length in bounded memory, and
 * {@link dev.agentreplay.engine.view.SessionFolder} reads all sessions of a directory in parallel.
 * Neither verifies a session; {@link dev.agentreplay.verify.SessionVerifier} does.
 *
 * <p>Results are immutable and safe for use by several threads; an accumulator is not.
 */
@NullMarked
package dev.agentreplay.engine.view;

import org.jspecify.annotations.NullMarked;
