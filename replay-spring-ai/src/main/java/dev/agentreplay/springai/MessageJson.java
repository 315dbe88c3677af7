package dev.agentreplay.springai;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Messages and tool definitions as JSON. Since most of a prompt repeats the previous one, its forms
 * are cached until the next prompt. Safe for use by several threads.
 */
final class MessageJson {

  static final String ROLE = "role";
  static final String CONTENT = "content";
  static final String MEDIA = "media";
  static final String TOOL_CALLS = "tool_calls";
  static final String RESPONSES = "responses";
  static final String ID = "id";
  static final String TYPE = "type";
  static final String NAME = "name";
  static final String ARGUMENTS = "arguments";
  static final String MIME_TYPE = "mime_type";
  static final String DATA = "data";
  static final String URI = "uri";

  /** The name that Spring AI generates for media without a name; it differs between runs. */
  private static final Pattern GENERATED_NAME =
      Pattern.compile("media-.*-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private static final Comparator<ToolDefinition> BY_NAME =
      Comparator.comparing(ToolDefinition::name, Comparator.nullsFirst(String::compareTo));

  /** The forms of the last prompt, never modified; by identity, as equal messages may differ. */
  private volatile IdentityHashMap<Object, JsonValue> known = new IdentityHashMap<>();

  /** The prompt of a model call: the messages, and the tools sorted by name. */
  ModelCall.Prompt prompt(EventTexts text, List<Message> messages, @Nullable ChatOptions options) {
    IdentityHashMap<Object, JsonValue> forms = new IdentityHashMap<>();
    ModelCall.Prompt json =
        ModelCall.Prompt.of(array(text, "/prompt/messages", messages, MessageJson::message, forms));
    List<ToolDefinition> tools = tools(options);
    if (!tools.isEmpty()) {
      json = json.withContext(JsonObject.of(
          "tools", array(text, "/prompt/context/tools", tools, MessageJson::tool, forms)));
    }
    known = forms;
    return json;
  }

  private <T> JsonArray array(
      EventTexts text,
      String pointer,
      List<T> elements,
      Function<T, Map<String, Object>> toMap,
      IdentityHashMap<Object, JsonValue> forms) {
    List<JsonValue> values = new ArrayList<>(elements.size());
    for (T element : elements) {
      JsonValue form = known.get(element);
      if (form == null) {
        Map<String, Object> map = toMap.apply(element);
        LenientJson json = LenientJson.of(map, "");
        form = json.value();
        if (!json.exactTexts().isEmpty() || !json.types().isEmpty()) {
          values.add(text.value(pointer + "/" + values.size(), map));
          continue;
        }
      }
      forms.put(element, form);
      values.add(form);
    }
    return JsonArray.copyOf(values);
  }

  private static List<ToolDefinition> tools(@Nullable ChatOptions options) {
    List<ToolCallback> callbacks =
        options instanceof ToolCallingChatOptions calling ? calling.getToolCallbacks() : null;
    return callbacks == null
        ? List.of()
        : callbacks.stream()
            .map(ToolCallback::getToolDefinition)
            .sorted(BY_NAME)
            .toList();
  }

  private static Map<String, Object> tool(ToolDefinition tool) {
    Map<String, Object> map = new LinkedHashMap<>();
    put(map, NAME, tool.name());
    put(map, "description", tool.description());
    String schema = tool.inputSchema();
    put(map, Names.INPUT_SCHEMA, schema == null ? null : value(schema));
    return map;
  }

  private static Object value(String json) {
    return EventTexts.isWellFormed(json) ? JsonText.parseOrString(json) : json;
  }

  /** The form of a message, without its metadata, which is not for the model. */
  static Map<String, Object> message(Message message) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(ROLE, message.getMessageType().getValue());
    put(map, CONTENT, message.getText());
    if (message instanceof MediaContent content && !isEmpty(content.getMedia())) {
      map.put(MEDIA, content.getMedia().stream().map(MessageJson::media).toList());
    }
    if (message instanceof AssistantMessage assistant && !isEmpty(assistant.getToolCalls())) {
      map.put(
          TOOL_CALLS, assistant.getToolCalls().stream().map(MessageJson::call).toList());
    }
    if (message instanceof ToolResponseMessage tool) {
      map.remove(CONTENT); // always empty
      map.put(RESPONSES, tool.getResponses().stream().map(MessageJson::response).toList());
    }
    return map;
  }

  private static boolean isEmpty(@Nullable List<?> list) {
    return list == null || list.isEmpty();
  }

  private static Map<String, Object> call(ToolCall call) {
    Map<String, Object> map = new LinkedHashMap<>();
    put(map, ID, call.id());
    put(map, TYPE, call.type());
    put(map, NAME, call.name());
    put(map, ARGUMENTS, call.arguments());
    return map;
  }

  private static Map<String, Object> response(ToolResponse response) {
    Map<String, Object> map = new LinkedHashMap<>();
    put(map, ID, response.id());
    put(map, NAME, response.name());
    put(map, CONTENT, response.responseData());
    return map;
  }

  private static Map<String, Object> media(Media media) {
    Map<String, Object> map = new LinkedHashMap<>();
    put(map, ID, media.getId());
    String name = media.getName();
    put(map, NAME, name == null || GENERATED_NAME.matcher(name).matches() ? null : name);
    put(map, MIME_TYPE, media.getMimeType() == null ? null : media.getMimeType().toString());
    Object data = media.getData();
    if (data instanceof byte[] bytes) {
      map.put(DATA, Base64.getEncoder().encodeToString(bytes));
    } else {
      put(map, URI, data);
    }
    return map;
  }

  private static void put(Map<String, Object> map, String name, @Nullable Object value) {
    if (value != null) {
      map.put(name, value);
    }
  }
}
