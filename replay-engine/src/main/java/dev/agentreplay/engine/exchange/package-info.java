/**
 * The exchanges of an agent: each call of a model, call of a tool, and nondeterministic value that
 * it requested, with the rules by which a request of a replay is matched with a recorded exchange,
 * and the report on a request that no recorded exchange matches.
 */
@NullMarked
package dev.agentreplay.engine.exchange;

import org.jspecify.annotations.NullMarked;
