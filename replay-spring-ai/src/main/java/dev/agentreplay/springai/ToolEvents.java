package dev.agentreplay.springai;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.model.tool.ToolExecutionResult;

/** Creates the events of tool requests and results, and restores results from them. */
final class ToolEvents {

  /** The place of the output in the event of a result. */
  static final String OUTPUT = "/output";

  /** The member of a result that is returned to the caller of the chat client. */
  private static final String RETURN_DIRECT = "return_direct";

  /** The member of a call that exceeded a limit: the limit. */
  private static final String LIMIT = "tool_call_limit";

  private ToolEvents() {}

  /** The message of a response whose tools are to be called; null if there is none. */
  static @Nullable AssistantMessage calling(ChatResponse response) {
    for (Generation generation : response.getResults()) {
      AssistantMessage message = generation.getOutput();
      if (message.hasToolCalls()) {
        return message;
      }
    }
    return null;
  }

  /** Creates the event of a request; its id is empty if the model gave none. */
  static ToolCall call(AssistantMessage.ToolCall request) {
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

  /** The number of a request among those of the same tool in an answer of the model, from 1. */
  static int number(List<AssistantMessage.ToolCall> requests, int index) {
    String name = requests.get(index).name();
    int number = 0;
    for (AssistantMessage.ToolCall request : requests.subList(0, index + 1)) {
      number += Objects.equals(request.name(), name) ? 1 : 0;
    }
    return number;
  }

  /**
   * Creates the event of a result whose text the model gets.
   *
   * @param error the exception that was turned into the text; null if the tool returned
   * @param isDirect whether the text is returned to the caller of the chat client
   */
  static ToolResult result(
      String id,
      @Nullable String output,
      @Nullable Throwable error,
      boolean isDirect,
      @Nullable Long latencyMillis) {
    EventTexts text = new EventTexts();
    String written = text.at(OUTPUT, orEmpty(output));
    if (isDirect) {
      text.add(RETURN_DIRECT, true);
    }
    Outcome outcome = Outcome.OK;
    if (error != null) {
      text.add(Names.EXCEPTION, Failure.of(error).json());
      outcome = Outcome.of(false, null, new Failure(JsonObject.of("message", written)));
    }
    return ToolResult.of(id, written)
        .withOutcome(outcome)
        .withLatencyMillis(latencyMillis)
        .withMeta(text.meta());
  }

  /** Creates the event of a call whose exception reaches the chat client. */
  static ToolResult failed(String id, Throwable error, @Nullable Long latencyMillis) {
    EventTexts text = new EventTexts();
    String output = EventTexts.message(error);
    if (isLimit(error)) {
      text.add(LIMIT, LimitExceptions.limit(error));
      String told = lastResponse(LimitExceptions.partialResult(error));
      output = told == null ? output : text.at(OUTPUT, told);
    }
    return ToolResult.of(id, output)
        .withOutcome(Outcome.failed(error))
        .withLatencyMillis(latencyMillis)
        .withMeta(text.meta());
  }

  /** Whether an exception is that of a limit, a class that Spring AI 1.1 does not have. */
  static boolean isLimit(Throwable error) {
    return error
        .getClass()
        .getName()
        .equals("org.springframework.ai.model.tool.ToolCallLimitExceededException");
  }

  /** The text of the last tool response in a history; null if there is none. */
  static @Nullable String lastResponse(ToolExecutionResult result) {
    List<Message> history = result.conversationHistory();
    Message last = history.isEmpty() ? null : history.get(history.size() - 1);
    if (!(last instanceof ToolResponseMessage message) || message.getResponses().isEmpty()) {
      return null;
    }
    return message.getResponses().get(message.getResponses().size() - 1).responseData();
  }

  /** The text that the model got from a recorded result. */
  static String output(ToolResult result) {
    if (result.output().value() instanceof JsonString text) {
      return EventTexts.exact(result, OUTPUT, text.value());
    }
    throw new IllegalStateException(
        "the recorded output of tool call %s is not one that Spring AI can read"
            .formatted(result.id()));
  }

  /** Whether a recorded result was returned to the caller of the chat client. */
  static boolean isDirect(ToolResult result) {
    return result.meta().extra().get(RETURN_DIRECT) instanceof JsonBoolean direct && direct.value();
  }

  /** The limit that a recorded call exceeded; null if it did not. */
  static @Nullable Integer limit(ToolResult result) {
    return result.meta().extra().get(LIMIT) instanceof JsonNumber limit
        ? (Integer) Math.toIntExact(limit.asLong())
        : null;
  }

  /** The recorded exception that reached the chat client; null if there is none. */
  static @Nullable Exception thrown(ToolResult result, @Nullable String tool) {
    Failure error = result.outcome().error();
    return result.outcome().succeeded() || error == null || error.name() == null
        ? null
        : RecordedExceptions.of(error, orEmpty(tool));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
