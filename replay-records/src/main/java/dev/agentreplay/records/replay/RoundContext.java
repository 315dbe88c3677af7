package dev.agentreplay.records.replay;

import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.TraceMessage;
import java.util.List;
import java.util.Objects;

/**
 * The messages and circumstances that the agents of a session are given for a round. Immutable but
 * for its context.
 */
public final class RoundContext {

  private final String sessionId;
  private final SessionInputs inputs;
  private final long roundNumber;
  private final Feed feed;
  private final List<SentMessage> given;
  private final List<Turn> turns;
  private final List<OperatorIntervention> interventions;
  private final long seed;
  private final DeterministicContext context;

  /**
   * A recorded message of an agent, for which the agent is asked again.
   *
   * @param agent the agent that sends the message
   * @param type the purpose of the recorded message
   * @param before the messages that the agents are given before it, in addition to those of earlier
   *     turns: with {@link Feed#RECORDED} also the recorded answer of the turn before
   */
  public record Turn(AgentRosterEntry agent, TraceMessage.Type type, List<SentMessage> before) {

    /** Checks for null, and copies the list. */
    public Turn {
      Objects.requireNonNull(agent, "agent");
      Objects.requireNonNull(type, "type");
      before = List.copyOf(before);
    }
  }

  RoundContext(
      String sessionId,
      SessionInputs inputs,
      long roundNumber,
      Feed feed,
      List<SentMessage> given,
      List<Turn> turns,
      List<OperatorIntervention> interventions,
      long seed,
      DeterministicContext context) {
    this.sessionId = sessionId;
    this.inputs = inputs;
    this.roundNumber = roundNumber;
    this.feed = feed;
    this.given = List.copyOf(given);
    this.turns = List.copyOf(turns);
    this.interventions = List.copyOf(interventions);
    this.seed = seed;
    this.context = context;
  }

  /** The id of the recorded session. */
  public String sessionId() {
    return sessionId;
  }

  /** The inputs of the session, with the roster that runs. */
  public SessionInputs inputs() {
    return inputs;
  }

  /** The number of the round, from 0. */
  public long roundNumber() {
    return roundNumber;
  }

  /** The feed: the recorded messages, or those of the replay. */
  public Feed feed() {
    return feed;
  }

  /**
   * The messages that the agents are given at the start of the round: those that they were not
   * given before. In the first round that runs these are all messages of earlier rounds. With
   * {@link Feed#RECORDED} they are recorded ones, and the messages of this round are in
   * {@link #turns}; the recorded answer of the last turn is given in the next round. With
   * {@link Feed#REPLAYED} they are the messages of the agents in the round before, and the inputs
   * of this round, such as its kickoff.
   */
  public List<SentMessage> given() {
    return given;
  }

  /**
   * The recorded messages of the agents in this round, for each of which an agent is asked again.
   * In a comparison this is an agent with the same role. There is none for a message if no such
   * agent runs. The list is empty with {@link Feed#REPLAYED}, where the agents run free.
   */
  public List<Turn> turns() {
    return turns;
  }

  /**
   * The recorded interventions before the end of the round that are to be made again, without those
   * of earlier rounds that ran.
   */
  public List<OperatorIntervention> interventions() {
    return interventions;
  }

  /** The seed of the replay, for models that take one. */
  public long seed() {
    return seed;
  }

  /**
   * Times, random numbers and ids for agents, which are the same in each replay with one seed and
   * differ between rounds. Its clock starts at the recorded start of the round. Agents that run at
   * the same time use a {@linkplain DeterministicContext#lane lane} each.
   */
  public DeterministicContext context() {
    return context;
  }
}
