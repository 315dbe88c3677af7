package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Descriptions of tools and reasons to stop, in the words that Inspect reads. */
final class InspectTools {

  private static final Set<String> TYPES =
      Set.of("string", "integer", "number", "boolean", "array", "object", "null");

  private InspectTools() {}

  /** The tools; the schema of one that Inspect may not read is left out. */
  static JsonArray of(JsonArray tools) {
    List<JsonValue> written = new ArrayList<>();
    for (JsonValue definition : MessageJson.definitions(tools)) {
      JsonObject tool = definition.asObject();
      if (tool.get("name") instanceof JsonString name) {
        JsonObject.Builder info = JsonObject.builder()
            .put("name", name)
            .put(
                "description",
                tool.get("description") instanceof JsonString text ? text : JsonString.of(""));
        if (tool.get("parameters") instanceof JsonObject schema
            && schema.get("properties") instanceof JsonObject properties
            && isPlain(schema)) {
          info.put(
              "parameters",
              JsonObject.of(
                  "type",
                  "object",
                  "properties",
                  properties,
                  "required",
                  schema.get("required") instanceof JsonArray required
                      ? required
                      : JsonArray.EMPTY));
        }
        written.add(info.build());
      }
    }
    return JsonArray.copyOf(written);
  }

  /** Whether all types in a schema are single words. */
  private static boolean isPlain(JsonValue schema) {
    if (schema instanceof JsonArray array) {
      return array.stream().allMatch(InspectTools::isPlain);
    }
    if (!(schema instanceof JsonObject object)) {
      return true;
    }
    JsonValue type = object.get("type");
    boolean isWord = type == null
        || type instanceof JsonObject // a property with this name
        || (type instanceof JsonString word && TYPES.contains(word.value()));
    return isWord && object.names().stream().map(object::get).allMatch(InspectTools::isPlain);
  }

  /** The word of Inspect for the reason for which a model stopped. */
  static String stopReason(@Nullable String reason) {
    if (reason == null) {
      return "unknown";
    }
    return switch (reason) {
      case "stop", "end_turn", "eos", "stop_sequence", "STOP" -> "stop";
      case "length", "max_tokens", "MAX_TOKENS" -> "max_tokens";
      case "tool_calls", "tool_use", "function_call", "TOOL_EXECUTION" -> "tool_calls";
      case "model_length", "content_filter" -> reason;
      default -> "unknown";
    };
  }
}
