package dev.agentreplay.records.internal;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The messages of a record that are inputs of its session: a kickoff, a message on the session
 * itself, an acknowledgement, and each message of an operator. They are given to agents and shown
 * in reports, and not compared. Immutable.
 *
 * <p>The operators are those that the interventions name, and the senders of kickoffs, except for
 * agents of the roster.
 *
 * @param operators the names of the operators
 */
public record InputMessages(Set<String> operators) {

  /** Copies the set. */
  public InputMessages {
    operators = Set.copyOf(operators);
  }

  /**
   * Finds the operators of the record of a replay, which may lack the kickoff or the interventions
   * of the recorded session: those of both sessions, except for the agents that ran.
   */
  public static InputMessages ofReplay(SessionRecord replayed, SessionRecord recorded) {
    Set<String> operators = new HashSet<>(of(recorded).operators);
    operators.addAll(of(replayed).operators);
    replayed.inputs().agentRoster().forEach(agent -> operators.remove(agent.agentName()));
    return new InputMessages(operators);
  }

  /** Finds the operators of a record. */
  public static InputMessages of(SessionRecord record) {
    SessionTrace trace = record.trace();
    Set<String> operators = trace.interventions().stream()
        .map(OperatorIntervention::operatorId)
        .collect(Collectors.toSet());
    for (SessionTrace.Round round : trace.rounds()) {
      for (TraceMessage message : round.messages()) {
        if (message.type() == TraceMessage.Type.KICKOFF) {
          operators.add(message.from());
        }
      }
    }
    for (AgentRosterEntry agent : record.inputs().agentRoster()) {
      operators.remove(agent.agentName());
    }
    return new InputMessages(operators);
  }

  /** Whether a message is an input of the session. */
  public boolean isInput(TraceMessage message) {
    return switch (message.type()) {
      case KICKOFF, ADMIN, ACK -> true;
      case DELTA, CRITIQUE, EVIDENCE, RESULT, COMPILE, PUBLISH ->
        operators.contains(message.from());
    };
  }

  /**
   * Returns the index after the last message of a round that is not an input. An input at or after
   * it, such as the compiled artifact, could not influence the agents in this round. The number of
   * messages if all are inputs.
   */
  int endOfTurns(List<TraceMessage> messages) {
    for (int i = messages.size(); i > 0; i--) {
      if (!isInput(messages.get(i - 1))) {
        return i;
      }
    }
    return messages.size();
  }
}
