package dev.agentreplay.records.agents;

import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.TraceMessage;
import java.util.List;
import java.util.Objects;

/**
 * The messages and circumstances that the agents of a session are given for a round. Those of a
 * replay are immutable but for their context. Tests of agents may implement it, and a release may
 * add methods.
 */
public interface RoundContext {

  /**
   * A recorded message of an agent, for which the agent is asked again.
   *
   * @param agent the agent that sends the message
   * @param type the purpose of the recorded message
   * @param before the messages that the agents are given before it, in addition to those of earlier
   *     turns: with {@link Feed#RECORDED} also the recorded answer of the turn before
   */
  record Turn(AgentRosterEntry agent, TraceMessage.Type type, List<SentMessage> before) {

    /** Checks for null, and copies the list. */
    public Turn {
      Objects.requireNonNull(agent, "agent");
      Objects.requireNonNull(type, "type");
      before = List.copyOf(before);
    }
  }

  /** The id of the recorded session. */
  String sessionId();

  /** The inputs of the session, with the roster that runs. */
  SessionInputs inputs();

  /** The number of the round, from 0. */
  long roundNumber();

  /** The feed: the recorded messages, or those of the replay. */
  Feed feed();

  /**
   * The messages that the agents are given at the start of the round: those that they were not
   * given before. In the first round that runs these are all messages of earlier rounds. With
   * {@link Feed#RECORDED} they are recorded ones, and the messages of this round are in
   * {@link #turns}; the recorded answer of the last turn is given in the next round. With
   * {@link Feed#REPLAYED} they are the messages of the agents in the round before, and the inputs
   * before the last recorded message of an agent in this round, such as its kickoff. An input after
   * that, such as the compiled artifact, is given in the next round.
   */
  List<SentMessage> given();

  /**
   * The recorded messages of the agents in this round, for each of which an agent is asked again.
   * In a comparison this is an agent with the same role. There is none for a message if no such
   * agent runs. The list is empty with {@link Feed#REPLAYED}, where the agents run free.
   */
  List<Turn> turns();

  /**
   * The recorded interventions before the end of the round that are to be made again, without those
   * of earlier rounds that ran.
   */
  List<OperatorIntervention> interventions();

  /** The seed of the replay, for models that take one. */
  long seed();

  /**
   * Times, random numbers and ids for agents, which are the same in each replay with one seed and
   * differ between rounds. Its clock starts at the recorded start of the round. Agents that run at
   * the same time use a {@linkplain DeterministicContext#lane lane} each.
   */
  DeterministicContext context();
}
