/**
 * The parts that replayers of agent frameworks share: the lane of an agent in a replay, and the
 * choice between the framework's own result and one that is restored from its recorded form.
 *
 * <p>A program that has its own agent loop uses {@link dev.agentreplay.engine.replay.AgentScope}
 * itself.
 */
@NullMarked
package dev.agentreplay.engine.replay.agent;

import org.jspecify.annotations.NullMarked;
