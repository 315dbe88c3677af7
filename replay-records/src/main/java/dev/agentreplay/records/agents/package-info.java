/**
 * The agents of a session that run again: the messages that they are given in each round, and those
 * that they send.
 *
 * <pre>{@code
 * AgentRunner agents = context -> {
 *   List<SentMessage> sent = new ArrayList<>();
 *   for (RoundContext.Turn turn : context.turns()) {
 *     sent.add(SentMessage.of(turn.agent().agentName(), turn.type(), "the answer of a model"));
 *   }
 *   return RoundMessages.of(sent);
 * };
 * SessionReplayResult result = SessionReplay.of(record).texts(texts).agents(agents).run();
 * }</pre>
 *
 * <p>{@link dev.agentreplay.records.agents.AgentRunner} is implemented by users;
 * {@link dev.agentreplay.records.agents.ProcessAgents} runs a program in any language. The package
 * {@code dev.agentreplay.records.replay} runs the rounds, one after the other, and gives each
 * recorded message once. Agents cannot spoil a replay: an exception, a message that no agent may
 * send, a time-out or an abort ends it as incomplete, and the rounds before count.
 *
 * <p>Values are immutable. Agents are called on threads of the replay, one call at a time.
 */
@NullMarked
package dev.agentreplay.records.agents;

import org.jspecify.annotations.NullMarked;
