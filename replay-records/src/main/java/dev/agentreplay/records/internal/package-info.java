/**
 * The parts of a replay that run agents, and the rules and lookups that its comparison also needs;
 * for this module only. {@link dev.agentreplay.records.internal.LiveSession} runs the rounds.
 */
@NullMarked
package dev.agentreplay.records.internal;

import org.jspecify.annotations.NullMarked;
