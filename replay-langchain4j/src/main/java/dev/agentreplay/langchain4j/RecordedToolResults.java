package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Restores results of tools from their events, the reverse of {@link ToolEvents}. */
final class RecordedToolResults {

  private RecordedToolResults() {}

  /**
   * The exception that a tool, or an error handler of tools, threw to the service; null if the tool
   * returned, or its error was returned to the model.
   */
  static @Nullable Throwable thrown(ToolResult result) {
    Failure error = result.outcome().error();
    return result.outcome().succeeded() || error == null || error.name() == null
        ? null
        : RecordedExceptions.of(error);
  }

  /**
   * The result of a tool that returned, or whose error was returned to the model.
   *
   * @param hasObject whether the tool returned an object in addition to its text, which is the text
   * @throws IllegalStateException if the event does not have the output of a LangChain4j tool
   */
  static ToolExecutionResult of(ToolResult result, boolean hasObject) {
    ToolExecutionResult.Builder restored =
        ToolExecutionResult.builder().isError(!result.outcome().succeeded());
    if (result.meta().extra().get(ToolEvents.ATTRIBUTES) instanceof JsonObject attributes) {
      restored.attributes(map(attributes));
    }
    JsonValue output = result.output().value();
    if (output instanceof JsonString text) {
      String exact = EventTexts.exact(result, ToolEvents.OUTPUT, text.value());
      return restored.resultText(exact).result(hasObject ? exact : null).build();
    } else if (output instanceof JsonArray contents) {
      return contents.equals(JsonArray.EMPTY)
          ? restored.resultTextSupplier(() -> null).build()
          : restored.resultContents(contents(result, contents)).build();
    }
    throw unreadable(result);
  }

  private static List<Content> contents(ToolResult result, JsonArray contents) {
    String exact = EventTexts.exact(result, ToolEvents.OUTPUT);
    String json = exact == null
        ? JsonObject.of("type", "TOOL_EXECUTION_RESULT", "contents", contents).toString()
        : exact;
    if (ChatMessageDeserializer.messageFromJson(json)
        instanceof ToolExecutionResultMessage message) {
      return message.contents();
    }
    throw unreadable(result);
  }

  private static IllegalStateException unreadable(ToolResult result) {
    return new IllegalStateException(
        "the recorded output of tool call %s is not one that LangChain4j can read"
            .formatted(result.id()));
  }

  private static Map<String, Object> map(JsonObject json) {
    Map<String, Object> map = new LinkedHashMap<>();
    json.forEach((name, value) -> {
      Object java = java(value);
      if (java != null) { // LangChain4j's attributes are not null
        map.put(name, java);
      }
    });
    return map;
  }

  /** The Java value of a JSON value, with the types that LangChain4j reads messages with. */
  static @Nullable Object java(JsonValue value) {
    if (value instanceof JsonString text) {
      return text.value();
    } else if (value instanceof JsonBoolean bool) {
      return bool.value();
    } else if (value instanceof JsonNumber number) {
      return number(number);
    } else if (value instanceof JsonObject object) {
      return map(object);
    } else if (value instanceof JsonArray array) {
      List<@Nullable Object> list = new ArrayList<>();
      for (JsonValue element : array) {
        list.add(java(element));
      }
      return list;
    }
    return null;
  }

  private static Object number(JsonNumber number) {
    if (!number.isIntegerLiteral()) {
      return number.asDouble();
    }
    long value = number.asLong();
    if (value == (int) value) {
      return (int) value;
    }
    return value;
  }
}
