package dev.agentreplay.records.store;

import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks the names of the roster, and looks up the senders of messages in it. */
final class RosterCheck {

  private RosterCheck() {}

  static void check(SessionRecord record, CheckFindings findings) {
    String thread = record.inputs().kickoff().threadId();
    if (!thread.equals(record.sessionId())) {
      findings.note(
          "inputs.kickoff.thread_id",
          "expected the session_id, %s, found %s"
              .formatted(shown(record.sessionId()), shown(thread)));
    }
    List<AgentRosterEntry> roster = record.inputs().agentRoster();
    Map<String, Integer> indexes = new HashMap<>();
    for (int i = 0; i < roster.size(); i++) {
      String name = roster.get(i).agentName();
      Integer first = indexes.putIfAbsent(name, i);
      if (first != null) {
        findings.problem(
            "inputs.agent_roster[" + i + "].agent_name",
            "expected a unique name, found %s of inputs.agent_roster[%d]"
                .formatted(shown(name), first));
      }
    }
    senders(record.trace(), indexes.keySet(), findings);
  }

  /** Adds a note for each sender who is not in the roster, at the first message. */
  private static void senders(SessionTrace trace, Set<String> roster, CheckFindings findings) {
    Set<String> operators = operators(trace);
    Set<String> seen = new HashSet<>(roster);
    List<SessionTrace.Round> rounds = trace.rounds();
    for (int i = 0; i < rounds.size(); i++) {
      List<TraceMessage> messages = rounds.get(i).messages();
      for (int j = 0; j < messages.size(); j++) {
        String from = messages.get(j).from();
        if (seen.add(from)) {
          findings.note(
              CheckFindings.message(i, j) + ".from",
              shown(from)
                  + (operators.contains(from)
                      ? " is an operator: the roster does not have this name"
                      : " is neither in the roster nor an operator"));
        }
      }
    }
  }

  private static Set<String> operators(SessionTrace trace) {
    Set<String> operators = trace.interventions().stream()
        .map(OperatorIntervention::operatorId)
        .collect(Collectors.toSet());
    trace.rounds().stream()
        .flatMap(round -> round.messages().stream())
        .filter(message -> message.type() == TraceMessage.Type.KICKOFF)
        .forEach(message -> operators.add(message.from()));
    return operators;
  }

  private static String shown(String name) {
    return Excerpt.of(PlainText.escaped(name));
  }
}
