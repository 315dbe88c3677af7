package dev.agentreplay.records.recording;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The agents of a session: the senders of its messages, with their models. */
final class SessionAgents {

  private static final String UNKNOWN = "unknown";
  private static final String AGENT = "agent";
  private static final String OPERATOR = "operator";
  private static final double MAX_TEMPERATURE = 2;

  /** The roles that agents are given in turn. */
  private static final List<Role> ROLES =
      List.of(Role.HYPOTHESIS_GENERATOR, Role.TEST_DESIGNER, Role.ADVERSARIAL_CRITIC);

  /** The model calls of one agent. */
  private static final class Calls {
    final Set<String> models = new LinkedHashSet<>();
    final Set<Double> temperatures = new LinkedHashSet<>();
    boolean isWithoutTemperature;

    void add(ModelCall call) {
      String model = stated(call.model());
      if (model != null) {
        models.add(model);
      }
      Double temperature = call.parameters().temperature();
      if (temperature == null || !(temperature >= 0 && temperature <= MAX_TEMPERATURE)) {
        isWithoutTemperature = true;
      } else {
        temperatures.add(temperature);
      }
    }

    /** The temperature of all calls; null if they have different ones, or one has none. */
    @Nullable
    Double temperature() {
      return isWithoutTemperature || temperatures.size() != 1
          ? null
          : temperatures.iterator().next();
    }
  }

  private final CallPairing<ModelCall> calls = new CallPairing<>();

  /** The agents with their calls, in the order of their first result. */
  private final Map<String, Calls> agents = new LinkedHashMap<>();

  /** The agents that sent a message, in the order of the first one. */
  private final Set<String> senders = new LinkedHashSet<>();

  private @Nullable String producer;

  void producer(@Nullable String stated) {
    producer = producer == null ? stated : producer;
  }

  void call(ModelCall call) {
    // a record needs the model and the temperature of a call only
    calls.call(call.id(), call.meta().agent(), call.withPrompt(Content.NONE));
  }

  /** Returns the name of the agent of a result, or else of its model. */
  String result(ModelResult result) {
    ModelCall call = calls.result(result.id(), result.meta().agent());
    String name = stated(result.meta().agent());
    if (name == null && call != null) {
      String agent = stated(call.meta().agent());
      name = agent == null ? stated(call.model()) : agent;
    }
    name = name == null ? producerName(AGENT) : name;
    Calls known = agents.computeIfAbsent(name, key -> new Calls());
    if (call != null) {
      known.add(call);
    }
    return name;
  }

  /** Returns the name of the agent of a result, or else of the producer. */
  String result(ToolResult result) {
    String agent = stated(result.meta().agent());
    return agent == null ? producerName(AGENT) : agent;
  }

  void sent(String name) {
    senders.add(name);
  }

  /** Returns a name; null if it is empty. */
  private static @Nullable String stated(@Nullable String name) {
    return name == null || name.isEmpty() ? null : name;
  }

  /** Returns the name of the producer without its version, or else another name. */
  private String producerName(String otherwise) {
    String name = producer == null ? "" : producer;
    int version = name.indexOf('@');
    name = version < 0 ? name : name.substring(0, version);
    return name.isBlank() ? otherwise : name;
  }

  /** Returns a name for the sender of the KICKOFF that no agent has. */
  String operator(List<AgentRosterEntry> roster) {
    Set<String> taken = new HashSet<>(senders);
    roster.forEach(entry -> taken.add(entry.agentName()));
    String name = taken.contains(OPERATOR) ? producerName(OPERATOR) : OPERATOR;
    for (int i = 2; taken.contains(name); i++) {
      name = OPERATOR + "-" + i;
    }
    return name;
  }

  /** Generates the roster: an entry for each sender, with the roles in turn. */
  List<AgentRosterEntry> roster(Ledger ledger) {
    List<AgentRosterEntry> roster = new ArrayList<>();
    String program = producerName(UNKNOWN);
    for (String name : senders) {
      Role role = ROLES.get(roster.size() % ROLES.size());
      Calls made = agents.getOrDefault(name, new Calls());
      String model = made.models.isEmpty() ? UNKNOWN : made.models.iterator().next();
      ledger.generated(
          "inputs.agent_roster[%d]".formatted(roster.size()),
          "producer and model calls",
          "The role is generated: the log does not state it."
              + (made.models.size() > 1
                  ? " The model is the first of %d.".formatted(made.models.size())
                  : made.models.isEmpty() ? " The model is not known." : "")
              + (program.equals(UNKNOWN) ? " The program is not known." : ""));
      roster.add(
          AgentRosterEntry.of(name, role, program, model).withTemperature(made.temperature()));
    }
    return roster;
  }
}
