/**
 * The agents of a session that run again: the messages that they are given in each round, and those
 * that they send.
 *
 * <pre>{@code
 * AgentRunner agents = context -> RoundMessages.of(context.turns().stream()
 *     .map(turn -> SentMessage.of(turn.agent().agentName(), turn.type(), "the answer of a model"))
 *     .toList());
 * SessionReplayResult result = SessionReplay.of(record).texts(texts).agents(agents).run();
 * }</pre>
 *
 * <p>{@link dev.agentreplay.records.agents.AgentRunner} is implemented by users;
 * {@link dev.agentreplay.records.agents.ProcessAgents} runs a program in any language,
 * docs/protocol.md. {@link dev.agentreplay.records.replay.SessionReplay} runs the rounds, one after
 * the other, and gives the agents each message once. An exception, a message that no agent may
 * send, a time-out or an abort ends the replay as incomplete, with the rounds that were completed.
 *
 * <p>Values are immutable. Agents are called on threads of the replay, one call at a time.
 */
@NullMarked
package dev.agentreplay.records.agents;

import org.jspecify.annotations.NullMarked;
