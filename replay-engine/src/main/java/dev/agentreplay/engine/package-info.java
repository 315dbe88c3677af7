/**
 * Totals over sessions: {@link dev.agentreplay.engine.SessionStats} folds a stream of events into
 * them. Sessions are compared by {@link dev.agentreplay.engine.diff}, and comparisons rendered by
 * {@link dev.agentreplay.engine.report}.
 */
@NullMarked
package dev.agentreplay.engine;

import org.jspecify.annotations.NullMarked;
