package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of ATIF 1.7 that a JSON schema does not state: steps are numbered from 1, only steps of
 * the agent have calls and observations, the calls of a step have different ids, an observation
 * refers to a call of its own step, and a sub-agent is one of those in the document.
 */
final class AtifRules {

  private final Set<String> trajectories = new HashSet<>();
  private final List<String> violations = new ArrayList<>();

  private AtifRules() {}

  static List<String> violations(JsonObject trajectory) {
    AtifRules rules = new AtifRules();
    rules.collect(trajectory);
    rules.check(trajectory, "");
    return rules.violations;
  }

  private static JsonArray array(JsonObject object, String name) {
    return object.get(name) instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  private void collect(JsonObject trajectory) {
    for (JsonValue agent : array(trajectory, "subagent_trajectories")) {
      if (!(agent.asObject().get("trajectory_id") instanceof JsonString id)
          || !trajectories.add(id.value())) {
        violations.add("subagent without an id of its own");
      }
      collect(agent.asObject());
    }
  }

  private void check(JsonObject trajectory, String path) {
    JsonArray steps = array(trajectory, "steps");
    for (int i = 0; i < steps.size(); i++) {
      JsonObject step = steps.get(i).asObject();
      String at = path + "/steps/" + i;
      require(step.at("/step_id").asLong() == i + 1, at + ": number");
      boolean isAgent = step.at("/source").asString().equals("agent");
      require(isAgent || (!step.has("tool_calls") && !step.has("observation")), at + ": source");
      checkCalls(step, at);
    }
    JsonArray agents = array(trajectory, "subagent_trajectories");
    for (int i = 0; i < agents.size(); i++) {
      check(agents.get(i).asObject(), path + "/subagent_trajectories/" + i);
    }
  }

  private void checkCalls(JsonObject step, String at) {
    Set<String> calls = new HashSet<>();
    for (JsonValue call : array(step, "tool_calls")) {
      require(calls.add(call.at("/tool_call_id").asString()), at + ": id of a call");
    }
    JsonValue observation = step.get("observation");
    if (observation == null) {
      return;
    }
    for (JsonValue result : array(observation.asObject(), "results")) {
      require(calls.contains(result.at("/source_call_id").asString()), at + ": call of a result");
      for (JsonValue agent : array(result.asObject(), "subagent_trajectory_ref")) {
        require(trajectories.contains(agent.at("/trajectory_id").asString()), at + ": sub-agent");
      }
    }
  }

  private void require(boolean isTrue, String violation) {
    if (!isTrue) {
      violations.add(violation);
    }
  }
}
