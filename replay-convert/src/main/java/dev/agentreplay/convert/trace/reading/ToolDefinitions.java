package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;

/** The definitions of tools as models are given them. */
public final class ToolDefinitions {

  private static final String PARAMETERS = "parameters";
  private static final String NAME = "name";

  private ToolDefinitions() {}

  /** Whether an array has definitions: objects, at least one. */
  public static boolean areIn(JsonArray tools) {
    return tools.size() > 0 && tools.stream().allMatch(JsonObject.class::isInstance);
  }

  /**
   * Returns definitions as {@link dev.agentreplay.model.ToolDescription} has them: the function
   * itself, with its parameters as the schema, and the title as the name if it has no other.
   */
  public static JsonArray descriptions(JsonArray tools) {
    return JsonArray.copyOf(tools.stream().map(ToolDefinitions::description).toList());
  }

  private static JsonValue description(JsonValue tool) {
    JsonObject definition =
        tool.asObject().get("function") instanceof JsonObject function ? function : tool.asObject();
    JsonValue schema = definition.get(PARAMETERS);
    if (schema != null) {
      definition = definition.without(PARAMETERS).with("schema", schema);
    }
    return !definition.has(NAME) && definition.get("title") instanceof JsonString title
        ? definition.with(NAME, title)
        : definition;
  }
}
