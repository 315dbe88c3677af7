package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.replay.settings.CircumstanceNames;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The recorded agents that did not run in a replay, because the tool call that started each was
 * served.
 */
final class AgentsNotRun {

  /** The calls of one tool that were served, and the agents that they started. */
  private record Served(long firstLine, List<String> agents) {}

  private AgentsNotRun() {}

  /**
   * Returns a circumstance for each tool.
   *
   * @param parents the id of the call that started each agent
   * @param exchanges the recorded exchanges
   * @param requested the lines of those that were requested, and the agents with other requests
   * @param served the lines of those that were served
   */
  static List<Circumstance> find(
      Session session,
      Map<String, String> parents,
      List<RecordedExchange> exchanges,
      Requested requested,
      Set<Long> served)
      throws IOException {
    Set<String> idle = new HashSet<>();
    for (RecordedExchange exchange : exchanges) {
      String agent = exchange.agent();
      if (agent != null && parents.containsKey(agent) && !requested.agents().contains(agent)) {
        idle.add(agent);
      }
    }
    for (RecordedExchange exchange : exchanges) {
      if (requested.lines().contains(exchange.line())) {
        idle.remove(exchange.agent());
      }
    }
    List<Circumstance> circumstances = new ArrayList<>();
    if (!idle.isEmpty()) {
      started(session, parents, idle, served)
          .forEach((tool, calls) -> circumstances.add(circumstance(tool, calls)));
    }
    return circumstances;
  }

  /**
   * The requests of a replay.
   *
   * @param lines the lines of the recorded exchanges that were requested
   * @param agents the agents with requests that are not recorded
   */
  record Requested(Set<Long> lines, Set<String> agents) {}

  private static Map<String, Served> started(
      Session session, Map<String, String> parents, Set<String> idle, Set<Long> served)
      throws IOException {
    Set<String> ids = new HashSet<>();
    idle.forEach(agent -> ids.add(parents.get(agent)));
    Map<String, ReplayLine> calls = new HashMap<>();
    Map<String, Served> started = new LinkedHashMap<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        String agent = line.event().meta().agent();
        if (agent != null && idle.remove(agent)) {
          ReplayLine call = calls.get(parents.get(agent));
          if (call != null && served.contains(call.position().line())) {
            started
                .computeIfAbsent(
                    ((ToolCall) call.event()).tool(),
                    tool -> new Served(call.position().line(), new ArrayList<>()))
                .agents()
                .add(agent);
          }
        }
        if (line.event() instanceof ToolCall call && ids.contains(call.id())) {
          calls.put(call.id(), line);
        }
      }
    }
    return started;
  }

  private static Circumstance circumstance(String tool, Served calls) {
    return new Circumstance(
        CircumstanceNames.AGENTS,
        null,
        null,
        ("%s on line %d was served, so that what it had started did not run: %s; if the tool only"
                + " runs agents that are replayed, too, add"
                + " ReplayPolicy.withTool(\"%s\", ReplayAction.EXECUTE)")
            .formatted(tool, calls.firstLine(), String.join(", ", calls.agents()), tool));
  }
}
