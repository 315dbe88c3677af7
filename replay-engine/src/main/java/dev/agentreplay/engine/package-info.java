/**
 * Totals over sessions: {@link dev.agentreplay.engine.SessionStats} folds a stream of events into
 * them. {@link dev.agentreplay.engine.diff} compares two sessions,
 * {@link dev.agentreplay.engine.agreement} one with several, and
 * {@link dev.agentreplay.engine.report} renders comparisons.
 */
@NullMarked
package dev.agentreplay.engine;

import org.jspecify.annotations.NullMarked;
