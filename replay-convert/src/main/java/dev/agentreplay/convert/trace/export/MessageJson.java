package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Messages in the JSON schemas of the OpenTelemetry conventions for GenAI. */
final class MessageJson {

  private static final String TYPE = "type";

  private MessageJson() {}

  static JsonObject.Builder message(ChatMessage message) {
    JsonObject.Builder json =
        JsonObject.builder().put("role", message.role()).put("parts", parts(message.parts()));
    JsonObject more = message.more();
    JsonValue name = more.get("name");
    if (name != null && !(name instanceof JsonString)) {
      MessagePart.nest(json, JsonObject.of("name", name)); // the schema has texts only
      more = more.without("name");
    }
    MessagePart.with(json, more);
    return json;
  }

  static JsonArray parts(List<MessagePart> parts) {
    List<JsonValue> json = new ArrayList<>();
    parts.forEach(part -> json.add(part(part)));
    return JsonArray.copyOf(json);
  }

  private static JsonObject part(MessagePart part) {
    JsonObject.Builder json = JsonObject.builder();
    switch (part.kind()) {
      case TEXT -> json.put(TYPE, "text").put("content", part.value());
      case REASONING -> json.put(TYPE, "reasoning").put("content", part.value());
      case CALL -> putNames(json.put(TYPE, "tool_call"), part).put("arguments", part.value());
      case RESULT ->
        putNames(json.put(TYPE, "tool_call_response"), part).put("response", part.value());
      case OTHER -> {
        Image image = Image.of(part);
        if (image != null) {
          return image.part();
        }
        if (part.value() instanceof JsonObject object && object.get(TYPE) instanceof JsonString) {
          return object;
        }
        json.put(TYPE, DocumentWriter.KEPT).put("value", part.value());
      }
    }
    return MessagePart.with(json, part.more());
  }

  private static JsonObject.Builder putNames(JsonObject.Builder json, MessagePart part) {
    if (part.id() != null) {
      json.put("id", part.id());
    }
    return part.name() == null ? json : json.put("name", part.name());
  }

  /** Descriptions of tools as definitions: with the type of a function, and its parameters. */
  static JsonArray definitions(JsonArray tools) {
    List<JsonValue> definitions = new ArrayList<>();
    for (JsonValue tool : tools) {
      if (!(tool instanceof JsonObject object)) {
        definitions.add(JsonObject.of(TYPE, DocumentWriter.KEPT, "name", "", "value", tool));
        continue;
      }
      JsonObject named = object.get("function") instanceof JsonObject function ? function : object;
      JsonObject.Builder definition = JsonObject.builder().put(TYPE, "function");
      JsonValue parameters = JsonNull.NULL;
      for (String name : List.of("parameters", "schema", "input_schema", "inputSchema")) {
        if (named.get(name) != null && parameters == JsonNull.NULL) {
          parameters = named.get(name);
          named = named.without(name);
        }
      }
      MessagePart.with(definition, named.without(TYPE));
      if (parameters != null && parameters != JsonNull.NULL) {
        definition.addIfAbsent("parameters", parameters);
      }
      definitions.add(definition.build());
    }
    return JsonArray.copyOf(definitions);
  }
}
