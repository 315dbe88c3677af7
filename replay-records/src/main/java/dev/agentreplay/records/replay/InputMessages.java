package dev.agentreplay.records.replay;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import java.util.HashSet;
import java.util.Set;

/**
 * The messages of a session that are inputs, and not what its agents said: those that open or
 * administer the session or acknowledge a message, and those of operators. An operator is the id of
 * an intervention, or the sender of a kickoff, that is not the name of an agent.
 */
final class InputMessages {

  private final Set<String> operators;

  private InputMessages(Set<String> operators) {
    this.operators = operators;
  }

  /** Finds the operators of a session. */
  static InputMessages of(SessionRecord record) {
    Set<String> operators = new HashSet<>();
    record.trace().interventions().stream()
        .map(OperatorIntervention::operatorId)
        .forEach(operators::add);
    record.trace().rounds().stream()
        .map(SessionTrace.Round::messages)
        .flatMap(messages -> messages.stream())
        .filter(message -> message.type() == TraceMessage.Type.KICKOFF)
        .map(TraceMessage::from)
        .forEach(operators::add);
    record.inputs().agentRoster().stream()
        .map(AgentRosterEntry::agentName)
        .forEach(operators::remove);
    return new InputMessages(operators);
  }

  /** Whether a message of the session is an input. */
  boolean isInput(TraceMessage message) {
    return switch (message.type()) {
      case KICKOFF, ADMIN, ACK -> true;
      case DELTA, CRITIQUE, EVIDENCE, RESULT, COMPILE, PUBLISH ->
        operators.contains(message.from());
    };
  }
}
