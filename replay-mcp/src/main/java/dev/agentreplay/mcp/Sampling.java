package dev.agentreplay.mcp;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests of a server to call the model of the client. Each states its prompt as a whole. */
final class Sampling {

  /** The members of the parameters that the event of a call has. */
  static final String[] MEMBERS = {
    "tools", "messages", "systemPrompt", "maxTokens", "stopSequences", "temperature"
  };

  /** The names of the parameters of a model in an event, and in a request. */
  private static final Map<String, String> PARAMETERS =
      Map.of("max_tokens", "maxTokens", "stop", "stopSequences", "temperature", "temperature");

  private Sampling() {}

  static ModelCall call(String id, Message request) {
    JsonObject params = request.params();
    JsonObject.Builder prompt = JsonObject.builder();
    JsonValue tools = params.get("tools");
    if (tools != null) {
      prompt.put("context", JsonObject.of("tools", tools));
    }
    JsonValue messages = params.get("messages");
    prompt.put("messages", messages == null ? JsonArray.EMPTY : messages);
    put(prompt, "system", params.get("systemPrompt"));
    JsonObject.Builder parameters = JsonObject.builder();
    PARAMETERS.forEach((name, member) -> put(parameters, name, params.get(member)));
    return new ModelCall(
        id,
        null,
        Content.of(prompt.build()),
        new ModelCall.Parameters(parameters.build()),
        Meta.NONE);
  }

  /** The parameters of the request that a call was made from. */
  static JsonObject params(ModelCall call, @Nullable JsonValue prompt) {
    JsonObject.Builder params = JsonObject.builder();
    if (prompt instanceof JsonObject object) {
      put(params, "messages", object.get("messages"));
      put(params, "systemPrompt", object.get("system"));
      if (object.get("context") instanceof JsonObject context) {
        put(params, "tools", context.get("tools"));
      }
    }
    JsonObject parameters = call.parameters().json();
    PARAMETERS.forEach((name, member) -> put(params, member, parameters.get(name)));
    return params.build();
  }

  private static void put(JsonObject.Builder object, String name, @Nullable JsonValue value) {
    if (value != null) {
      object.put(name, value);
    }
  }
}
