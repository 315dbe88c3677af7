package dev.agentreplay.langchain4j;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.Content;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates the events of tool requests and results. */
final class ToolEvents {

  /** The place of the output in the event of a result. */
  static final String OUTPUT = "/output";

  /** The member with the attributes of a result. */
  static final String ATTRIBUTES = "attributes";

  private ToolEvents() {}

  /** Creates the event of a request; its id is empty if the model gave none. */
  static ToolCall call(ToolExecutionRequest request) {
    EventTexts text = new EventTexts();
    String id = text.at("/id", orEmpty(request.id()));
    String tool = text.at("/tool", orEmpty(request.name()));
    JsonValue params = params(text, request.arguments());
    return ToolCall.of(id, tool, params).withMeta(text.meta());
  }

  /** The value of the arguments, or their text if it is not JSON. */
  private static JsonValue params(EventTexts text, @Nullable String arguments) {
    if (arguments == null) {
      return JsonNull.NULL;
    }
    String written = text.at("/params", arguments);
    JsonValue params = JsonText.parseOrString(written);
    if (params.depth() >= JsonValue.MAX_DEPTH) {
      return JsonString.of(written); // as a member of an event the value would be nested too deep
    }
    boolean isAmbiguous = params instanceof JsonNull
        || (params instanceof JsonString string && !string.value().equals(written));
    if (isAmbiguous) { // the texts "\"a\"" and "a" are both recorded as the value "a"
      text.add(Names.PARAMS_TEXT, written);
    }
    return params;
  }

  /**
   * Creates the event of a result without an outcome.
   *
   * @param attributes the attributes of the result, which the model does not get
   */
  static ToolResult result(
      String id,
      List<Content> contents,
      Map<String, Object> attributes,
      @Nullable Long latencyMillis) {
    EventTexts text = new EventTexts();
    JsonValue output = MessageJson.contents(text, OUTPUT, contents);
    if (!attributes.isEmpty()) {
      text.add(ATTRIBUTES, text.value("/" + ATTRIBUTES, attributes));
    }
    return ToolResult.of(id, output).withLatencyMillis(latencyMillis).withMeta(text.meta());
  }

  /**
   * The number of a request among those of the same tool in an answer of the model, from 1; also 1
   * if the answer is null or lacks the request.
   */
  @SuppressWarnings("ReferenceEquality") // equal requests differ in their numbers
  static int number(ToolExecutionRequest request, @Nullable AiMessage answer) {
    int number = 0;
    List<ToolExecutionRequest> requests =
        answer == null ? List.of() : answer.toolExecutionRequests();
    for (ToolExecutionRequest other : requests) {
      number += Objects.equals(other.name(), request.name()) ? 1 : 0;
      if (other == request) {
        return number;
      }
    }
    return 1;
  }

  /** The outcome of a tool; the output of a failed tool is its error message. */
  static Outcome outcome(boolean failed, List<Content> contents) {
    if (!failed) {
      return Outcome.OK;
    }
    String only = MessageJson.onlyText(contents);
    JsonObject error = only == null ? null : JsonObject.of("message", EventTexts.wellFormed(only));
    return Outcome.of(false, null, error == null ? null : new Failure(error));
  }

  /** The result with the exception that an error handler turned into its text; null for none. */
  static ToolResult withException(ToolResult result, @Nullable Throwable error) {
    return error == null
        ? result
        : result.withMeta(result
            .meta()
            .withExtra(
                result.meta().extra().with(Names.EXCEPTION, Failure.of(error).json())));
  }

  /** Creates the event of the result of a tool, or an error handler of tools, that threw. */
  static ToolResult failed(String id, Throwable error, @Nullable Long latencyMillis) {
    String message = EventTexts.message(error);
    return ToolResult.of(id, message)
        .withOutcome(Outcome.failed(error))
        .withLatencyMillis(latencyMillis);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
