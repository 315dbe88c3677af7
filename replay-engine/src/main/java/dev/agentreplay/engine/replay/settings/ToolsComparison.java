package dev.agentreplay.engine.replay.settings;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the recorded tools with the present ones: those that the circumstances state,
 * as a whole; else each one that has an executor, by its name, schema and effect.
 */
final class ToolsComparison {

  private final ReplayPolicy policy;
  private final Executors executors;
  private final SettingsComparison settings;

  ToolsComparison(ReplayPolicy policy, Executors executors, SettingsComparison settings) {
    this.policy = policy;
    this.executors = executors;
    this.settings = settings;
  }

  void compare(JsonValue before, @Nullable JsonValue after) {
    if (after != null || !(before instanceof JsonArray recorded)) {
      settings.compare(Settings.TOOLS, before, after);
      return;
    }
    Set<String> added = new TreeSet<>(executors.tools());
    for (JsonValue each : recorded) {
      ToolDescription tool = each instanceof JsonObject json ? new ToolDescription(json) : null;
      String name = tool == null ? null : tool.name();
      if (tool == null || name == null) {
        settings.notStated(Settings.TOOLS, each);
      } else if (added.remove(name)) {
        schema(name, tool.schema());
        effect(name, tool);
      } else if (executors.tool(name) == null) {
        settings.notStated(CircumstanceNames.tool(name), each);
      }
    }
    added.forEach(name -> settings.add(
        CircumstanceNames.tool(name),
        null,
        JsonString.of(name),
        "tool %s is not among the recorded tools".formatted(name)));
  }

  private void schema(String tool, @Nullable JsonValue before) {
    ParameterCheck check = executors.check(tool);
    JsonValue after = check == null ? null : check.schema();
    if (before != null && after != null && !before.equals(after)) {
      settings.add(
          CircumstanceNames.tool(tool),
          before,
          after,
          "tool %s has a different schema".formatted(tool));
    }
  }

  private void effect(String tool, ToolDescription recorded) {
    Effect declared = policy.effect(tool);
    Effect tightened = declared == null ? null : declared.tightenedBy(recorded);
    if (declared != null && tightened != null && declared != tightened) {
      settings.add(
          CircumstanceNames.tool(tool),
          JsonString.of(tightened.id()),
          JsonString.of(declared.id()),
          "tool %s has a greater effect in the recording".formatted(tool));
    }
  }
}
