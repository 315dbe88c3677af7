package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** The requests of a server to call the model of the client. Each states its prompt as a whole. */
final class Sampling {

  private static final String PARAMS = "params";
  private static final String RESULT = "result";

  private Sampling() {}

  static ModelCall call(McpMessage message, String id) {
    message.derive("ModelCall/id", "id");
    JsonObject.Builder prompt = JsonObject.builder();
    JsonValue tools = message.move("ModelCall/prompt/context/tools", PARAMS, "tools");
    if (tools != null) {
      prompt.put("context", JsonObject.of("tools", tools));
    }
    JsonValue messages = message.move("ModelCall/prompt/messages", PARAMS, "messages");
    prompt.put("messages", messages == null ? JsonArray.EMPTY : messages);
    JsonValue system = message.move("ModelCall/prompt/system", PARAMS, "systemPrompt");
    if (system != null) {
      prompt.put("system", system);
    }
    JsonObject.Builder parameters = JsonObject.builder();
    put(parameters, "max_tokens", message.move("ModelCall/parameters", PARAMS, "maxTokens"));
    put(parameters, "stop", message.move("ModelCall/parameters", PARAMS, "stopSequences"));
    put(parameters, "temperature", message.move("ModelCall/parameters", PARAMS, "temperature"));
    return new ModelCall(
        id,
        null,
        Content.of(prompt.build()),
        new ModelCall.Parameters(parameters.build()),
        message.meta());
  }

  private static void put(JsonObject.Builder object, String name, @Nullable JsonValue value) {
    if (value != null) {
      object.put(name, value);
    }
  }

  static ModelResult result(McpMessage message, String id) {
    message.derive("ModelResult/id", "id");
    if (message.get("error") != null) {
      Failure failure = message.takeError("ModelResult/error");
      return result(id, null, Completion.failed(failure)).withMeta(message.meta());
    }
    String reason = message.text(RESULT, "stopReason");
    message.derive("ModelResult/finish_reason", RESULT, "stopReason");
    JsonValue answer = message.move("ModelResult/answer", RESULT);
    Completion finish = reason == null ? Completion.NONE : Completion.of(reason);
    return result(id, answer, finish).withMeta(message.meta());
  }

  static ModelResult cancelled(String id, String reason) {
    return result(id, null, Completion.failed(Failure.CANCELLED, reason));
  }

  private static ModelResult result(String id, @Nullable JsonValue answer, Completion finish) {
    return new ModelResult(
        id,
        answer == null ? Content.NONE : Content.of(answer),
        finish,
        TokenCounts.NONE,
        Timing.NONE,
        Meta.NONE);
  }
}
