package dev.agentreplay.records.replay;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import java.util.HashSet;
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
record InputMessages(Set<String> operators) {

  InputMessages {
    operators = Set.copyOf(operators);
  }

  /**
   * Finds the operators of the record of a replay, which may lack the kickoff or the interventions
   * of the recorded session: those of both sessions, except for the agents that ran.
   */
  static InputMessages ofReplay(SessionRecord replayed, SessionRecord recorded) {
    Set<String> operators = new HashSet<>(of(recorded).operators);
    operators.addAll(of(replayed).operators);
    replayed.inputs().agentRoster().forEach(agent -> operators.remove(agent.agentName()));
    return new InputMessages(operators);
  }

  /** Finds the operators of a record. */
  static InputMessages of(SessionRecord record) {
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
  boolean isInput(TraceMessage message) {
    return switch (message.type()) {
      case KICKOFF, ADMIN, ACK -> true;
      case DELTA, CRITIQUE, EVIDENCE, RESULT, COMPILE, PUBLISH ->
        operators.contains(message.from());
    };
  }
}
