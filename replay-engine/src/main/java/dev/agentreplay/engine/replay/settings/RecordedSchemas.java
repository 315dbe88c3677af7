package dev.agentreplay.engine.replay.settings;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON Schemas of the parameters of tools that a recording states: in its settings, and as the
 * tools of model calls, in the forms of OpenAI, Anthropic, LangChain4j and the Model Context
 * Protocol.
 */
public final class RecordedSchemas {

  private static final String TOOLS = "tools";

  /** The members with the schema of a tool in a model call. */
  private static final List<String> MEMBERS =
      List.of("schema", "parameters", Names.INPUT_SCHEMA, "inputSchema");

  private static final int MAX_TOOLS = 1_000;

  /** The most schemas that are kept for a tool. */
  private static final int MAX_SCHEMAS = 16;

  private final Map<String, Set<JsonValue>> byTool = new TreeMap<>();

  /** The tools of the last model call, which most calls repeat. */
  private @Nullable JsonArray last;

  /** Adds the schema of a tool of the settings. */
  public void add(ToolDescription tool) {
    add(tool.name(), tool.schema());
  }

  /** Adds the schemas of the tools of a model call, with its prompt in full. */
  public void add(ModelCall call) {
    JsonValue tools = call.parameters().json().get(TOOLS);
    if (call.prompt().value() instanceof JsonObject prompt) {
      tools = prompt.get("context") instanceof JsonObject context && context.has(TOOLS)
          ? context.get(TOOLS)
          : prompt.has(TOOLS) ? prompt.get(TOOLS) : tools;
    }
    if (!(tools instanceof JsonArray array) || array.equals(last)) {
      return;
    }
    last = array;
    for (JsonValue each : array) {
      JsonValue tool =
          each instanceof JsonObject object && object.get("function") instanceof JsonObject function
              ? function
              : each;
      if (tool instanceof JsonObject object && object.get("name") instanceof JsonString name) {
        MEMBERS.stream()
            .map(object::get)
            .filter(JsonObject.class::isInstance)
            .findFirst()
            .ifPresent(schema -> add(name.value(), schema));
      }
    }
  }

  private void add(@Nullable String tool, @Nullable JsonValue schema) {
    if (tool == null
        || schema == null
        || (byTool.size() >= MAX_TOOLS && !byTool.containsKey(tool))) {
      return;
    }
    Set<JsonValue> schemas = byTool.computeIfAbsent(tool, name -> new LinkedHashSet<>());
    if (schemas.size() < MAX_SCHEMAS) {
      schemas.add(schema);
    }
  }

  /** The different schemas of each tool, by its name. */
  public Map<String, Set<JsonValue>> byTool() {
    return Collections.unmodifiableMap(byTool);
  }
}
