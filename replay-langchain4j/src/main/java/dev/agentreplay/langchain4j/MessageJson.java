package dev.agentreplay.langchain4j;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Messages, their contents and tool specifications in the JSON forms that LangChain4j writes and
 * reads. Since most of a request repeats the previous one, its forms are cached until the next
 * request. Safe for use by several threads.
 */
final class MessageJson {

  /** A value, and its original text if that text cannot be written as UTF-8. */
  private record Form(JsonValue value, @Nullable String exact) {

    JsonValue at(EventTexts text, String pointer) {
      if (exact != null) {
        text.keepExact(pointer, exact);
      }
      return value;
    }
  }

  private static final Comparator<ToolSpecification> BY_NAME =
      Comparator.comparing(ToolSpecification::name, Comparator.nullsFirst(String::compareTo));

  /** Members of messages that are omitted if they are empty; LangChain4j reads them as empty. */
  private static final List<String> OPTIONAL = List.of("attributes", "toolExecutionRequests");

  /**
   * The forms of the last request, never modified; by identity, as messages may be of any class.
   */
  private volatile IdentityHashMap<Object, Form> known = new IdentityHashMap<>();

  /** The prompt of a model call: the messages, and the tools sorted by name. */
  Prompt prompt(
      EventTexts text, List<ChatMessage> messages, @Nullable List<ToolSpecification> tools) {
    IdentityHashMap<Object, Form> forms = new IdentityHashMap<>();
    Prompt prompt = Prompt.of(
        array(text, "/prompt/messages", messages, ChatMessageSerializer::messageToJson, forms));
    if (tools != null && !tools.isEmpty()) {
      List<ToolSpecification> sorted = tools.stream().sorted(BY_NAME).toList();
      prompt = prompt.withContext(JsonObject.of(
          "tools", array(text, "/prompt/context/tools", sorted, ToolSpecification::toJson, forms)));
    }
    known = forms;
    return prompt;
  }

  private <T> JsonArray array(
      EventTexts text,
      String pointer,
      List<T> elements,
      Function<T, String> toJson,
      IdentityHashMap<Object, Form> forms) {
    List<JsonValue> values = new ArrayList<>(elements.size());
    for (T element : elements) {
      Form form = known.get(element);
      if (form == null) {
        form = form(toJson, element);
      }
      forms.put(element, form);
      values.add(form.at(text, pointer + "/" + values.size()));
    }
    return JsonArray.copyOf(values);
  }

  /** The form of a message at a place in an event. */
  static JsonValue message(EventTexts text, String pointer, ChatMessage message) {
    return form(ChatMessageSerializer::messageToJson, message).at(text, pointer);
  }

  private static <T> Form form(Function<T, String> toJson, T element) {
    JsonObject value;
    String source;
    try {
      source = toJson.apply(element);
      value = JsonText.parse(EventTexts.wellFormed(source)).asObject();
      for (String name : OPTIONAL) {
        JsonValue member = value.get(name);
        if (JsonObject.EMPTY.equals(member) || JsonArray.EMPTY.equals(member)) {
          value = value.without(name);
        }
      }
    } catch (RuntimeException | StackOverflowError e) { // for example an attribute of any class
      source = element.toString();
      value = JsonObject.of(
          "error", EventTexts.message(e), Names.TO_STRING, EventTexts.wellFormed(source));
    }
    return new Form(value, EventTexts.isWellFormed(source) ? null : source);
  }

  /** The text of contents that are a single text; null otherwise. */
  static @Nullable String onlyText(List<Content> contents) {
    return contents.size() == 1 && contents.get(0) instanceof TextContent content
        ? content.text()
        : null;
  }

  /** The form of the contents of a message: their text if they are a single text, else an array. */
  static JsonValue contents(EventTexts text, String pointer, List<Content> contents) {
    String only = onlyText(contents);
    if (only != null) {
      return JsonValue.of(text.at(pointer, only));
    }
    if (contents.isEmpty()) {
      return JsonArray.EMPTY; // a message must have contents
    }
    // LangChain4j only serializes whole messages
    ChatMessage message =
        ToolExecutionResultMessage.builder().contents(contents).build();
    JsonObject form = message(text, pointer, message).asObject();
    JsonValue array = form.get("contents");
    return array == null ? form : array;
  }
}
