package dev.agentreplay.mcp;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The events of requests and responses, in the form that an imported log has them in, and the
 * messages that they were made from.
 */
final class Events {

  private static final String ERROR_NAME = "JsonRpcError";
  private static final String NAME = "name";
  private static final String ARGUMENTS = "arguments";
  private static final String META = "_meta";

  private Events() {}

  /** The call of a tool, or of a method as a tool. */
  static ToolCall toolCall(String id, Message request) {
    return ToolCall.of(id, Methods.tool(request), arguments(request));
  }

  private static JsonValue arguments(Message request) {
    JsonObject params = request.params();
    if (Methods.isToolCall(request)) {
      return Objects.requireNonNullElse(params.get(ARGUMENTS), JsonObject.EMPTY);
    }
    return params.without(META);
  }

  /** The members of the parameters that a call lacks. */
  static JsonObject rest(Message request) {
    JsonObject params = request.params();
    return switch (Methods.kind(request)) {
      case TOOL ->
        Methods.isToolCall(request)
            ? params.without(NAME, ARGUMENTS)
            : params.without(
                params.names().stream().filter(name -> !name.equals(META)).toArray(String[]::new));
      case MODEL -> params.without(Sampling.MEMBERS);
      case KEPT -> JsonObject.EMPTY;
    };
  }

  /** The request of a server that a call was made from. */
  static JsonObject request(ToolCall call, @Nullable JsonValue params, JsonObject rest) {
    String method = call.tool().substring(Methods.PREFIX.length());
    return request(method, with(params instanceof JsonObject object ? object : rest, rest));
  }

  /** The request of a server that a call of a model was made from. */
  static JsonObject request(ModelCall call, @Nullable JsonValue prompt, JsonObject rest) {
    return request(Methods.SAMPLE, with(Sampling.params(call, prompt), rest));
  }

  private static JsonObject with(JsonObject params, JsonObject rest) {
    JsonObject all = params;
    for (String name : rest.names()) {
      all = all.with(name, rest.get(name));
    }
    return all;
  }

  private static JsonObject request(String method, JsonObject params) {
    return JsonObject.of("jsonrpc", "2.0", "method", method, "params", params);
  }

  /** The result of a tool, or of a method as a tool. */
  static ToolResult toolResult(String id, boolean isToolCall, Message response) {
    JsonObject json = Objects.requireNonNull(response.json());
    JsonValue error = json.get("error");
    if (error != null) {
      return ToolResult.of(id, null).withOutcome(Outcome.failed(failure(error)));
    }
    JsonValue output = json.get("result");
    return ToolResult.of(id, output).withOutcome(outcome(isToolCall, output));
  }

  private static Outcome outcome(boolean isToolCall, @Nullable JsonValue output) {
    if (!isToolCall) {
      return Outcome.OK;
    }
    JsonObject result = output instanceof JsonObject object ? object : JsonObject.EMPTY;
    if (result.get("isError") instanceof JsonBoolean error) {
      return Outcome.of(!error.value(), null, null);
    }
    return result.get("content") instanceof JsonArray ? Outcome.OK : Outcome.NONE;
  }

  static ToolResult cancelledTool(String id, String reason) {
    return ToolResult.of(id, null).withOutcome(Outcome.cancelled(reason));
  }

  static ModelResult modelResult(String id, Message response) {
    JsonObject json = Objects.requireNonNull(response.json());
    JsonValue error = json.get("error");
    if (error != null) {
      return result(id, null, Completion.failed(failure(error)));
    }
    JsonValue answer = json.get("result");
    JsonValue reason = answer instanceof JsonObject object ? object.get("stopReason") : null;
    Completion finish =
        reason instanceof JsonString text ? Completion.of(text.value()) : Completion.NONE;
    return result(id, answer, finish);
  }

  static ModelResult cancelledModel(String id, String reason) {
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

  /** The error of a response: its code, its message and its data. */
  private static Failure failure(JsonValue error) {
    JsonObject.Builder failure = JsonObject.builder().put(NAME, ERROR_NAME);
    if (error instanceof JsonObject object) {
      object.without(NAME).forEach(failure::put);
    } else {
      failure.put("data", error);
    }
    return new Failure(failure.build());
  }

  /** Whether a failure was the error of a response. */
  static boolean isError(@Nullable Failure failure) {
    return failure != null && ERROR_NAME.equals(failure.name());
  }

  /** The response with a value, or with an error. */
  static JsonObject response(JsonValue id, @Nullable JsonValue value, @Nullable Failure failure) {
    JsonObject response = JsonObject.of("jsonrpc", "2.0", "id", id);
    if (failure != null) {
      return response.with("error", failure.json().without(NAME));
    }
    return response.with("result", value == null ? JsonNull.NULL : value);
  }

  /** The reason that a notification of a cancellation states. */
  static String reason(Message cancellation) {
    return cancellation.params().get("reason") instanceof JsonString reason
        ? reason.value()
        : "the message states no reason";
  }
}
