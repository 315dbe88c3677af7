/**
 * Statistics of one session. The comparison of sessions is in the packages below this one.
 *
 * <p>{@link dev.agentreplay.engine.SessionStats} folds a stream of events into totals:
 *
 * <pre>{@code
 * SessionStats.Accumulator totals = SessionStats.accumulator();
 * try (ReplayReader reader = Session.open(directory).reader()) {
 *   for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
 *     totals.add(line.event());
 *   }
 * }
 * System.out.println(totals.toStats().byTool());
 * }</pre>
 *
 * <p>{@link dev.agentreplay.engine.diff} compares two sessions,
 * {@link dev.agentreplay.engine.agreement} compares one session with several others to find flaky
 * steps, and {@link dev.agentreplay.engine.report} renders the results. Results are immutable and
 * safe for use by several threads; an accumulator is not.
 */
@NullMarked
package dev.agentreplay.engine;

import org.jspecify.annotations.NullMarked;
