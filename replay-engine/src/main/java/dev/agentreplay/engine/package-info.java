/**
 * Compares sessions, and says where two part ways.
 *
 * <pre>{@code
 * SessionDiff diff = SessionDiff.between(Session.open(before), Session.open(after));
 * if (diff.first() != null) {
 *   System.out.println("the runs part at call " + diff.first().call());
 * }
 * }</pre>
 *
 * <p>{@link dev.agentreplay.engine.SessionDiff} aligns the tool calls of two sessions, so that one
 * call more or less is one divergence, and tells for each divergence its kind, its place in both
 * logs, and the patch from one to the other. {@link dev.agentreplay.engine.SessionStats} folds a
 * stream of events into totals. Results are immutable values, safe to share between threads.
 *
 * <p>A comparison reads each log twice and keeps the hashes of each call, about 200 bytes; the
 * values of calls are held for the divergences that are listed only.
 */
@NullMarked
package dev.agentreplay.engine;

import org.jspecify.annotations.NullMarked;
