package dev.agentreplay.convert.trace.export;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.export.MessagePart.Kind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages in the forms of OpenAI (Chat Completions and Responses), Anthropic, Gemini,
 * LangChain4j, Inspect and the OpenTelemetry conventions. A part of a different form is kept as a
 * whole.
 */
final class MessageParser {

  private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text");
  private static final Set<String> THOUGHTS = Set.of("thinking", "reasoning");
  private static final Set<String> CALLS =
      Set.of(Names.TOOL_USE, Names.TOOL_CALL, Names.FUNCTION_CALL, "custom_tool_call");
  private static final Set<String> RESULTS = Set.of(
      Names.TOOL_RESULT,
      "tool_call_response",
      Names.FUNCTION_CALL_OUTPUT,
      "custom_tool_call_output");
  private static final Set<String> RESULT_ROLES = Set.of("tool", "function");

  /** An object whose members are taken one after the other. */
  private static final class Taken {
    private JsonObject left;

    Taken(JsonObject object) {
      left = object;
    }

    /** Takes the first of some members that exists and is not null. */
    @Nullable
    JsonValue first(String... names) {
      for (String name : names) {
        JsonValue value = left.get(name);
        if (value != null && value != JsonNull.NULL) {
          left = left.without(name);
          return value;
        }
      }
      return null;
    }

    /** Takes the first of some members that is an array; an empty one if none is. */
    JsonArray array(String... names) {
      for (String name : names) {
        if (left.get(name) instanceof JsonArray array) {
          left = left.without(name);
          return array;
        }
      }
      return JsonArray.EMPTY;
    }

    /** The members that are left, with others. */
    JsonObject with(JsonObject more) {
      JsonObject.Builder all = JsonObject.builder();
      left.forEach(all::add);
      return MessagePart.with(all, more);
    }

    /** Takes a member if it has a value; returns whether it has. */
    boolean is(String name, JsonValue value) {
      boolean isEqual = value.equals(left.get(name));
      left = isEqual ? left.without(name) : left;
      return isEqual;
    }

    @Nullable
    String text(String... names) {
      for (String name : names) {
        if (left.get(name) instanceof JsonString text) {
          left = left.without(name);
          return text.value();
        }
      }
      return null;
    }
  }

  private MessageParser() {}

  static ChatMessage parse(JsonValue message, String defaultRole) {
    List<MessagePart> parts = new ArrayList<>();
    if (!(message instanceof JsonObject object)) {
      addContent(message, parts);
      return new ChatMessage(defaultRole, parts, JsonObject.EMPTY);
    }
    MessagePart item = object.has("role") ? null : typed(object);
    if (item != null) {
      String role = item.is(Kind.RESULT) ? "tool" : item.is(Kind.OTHER) ? defaultRole : "assistant";
      return new ChatMessage(role, List.of(item), JsonObject.EMPTY);
    }
    Taken taken = new Taken(object);
    String role = taken.text("role");
    boolean isResult = role != null && RESULT_ROLES.contains(role);
    String thought = taken.text("reasoning_content", "thinking");
    if (thought != null) {
      parts.add(
          new MessagePart(Kind.REASONING, null, null, JsonString.of(thought), JsonObject.EMPTY));
    }
    JsonValue content = taken.first("content", "contents", "parts");
    taken.is("content", JsonNull.NULL); // of an answer that only calls tools
    if (isResult && !holdsResults(content)) {
      String id = taken.text(Names.TOOL_CALL_ID);
      JsonValue result = content == null ? JsonNull.NULL : content;
      parts.add(new MessagePart(Kind.RESULT, id, taken.text("name"), result, JsonObject.EMPTY));
    } else if (content != null) {
      addContent(content, parts);
    }
    String text = taken.text("text");
    if (text != null) {
      parts.add(MessagePart.text(text));
    }
    taken
        .array(Names.TOOL_CALLS, "toolCalls", "toolExecutionRequests")
        .forEach(each -> parts.add(call(each)));
    JsonValue call = taken.first(Names.FUNCTION_CALL);
    if (call != null) {
      parts.add(call(call));
    }
    if (parts.isEmpty() && !taken.left.isEmpty() && role == null) {
      return new ChatMessage(defaultRole, List.of(other(object)), JsonObject.EMPTY);
    }
    return new ChatMessage(role == null ? defaultRole : role, parts, taken.left);
  }

  /** Reads the content of a message: a text, or parts. */
  static List<MessagePart> content(JsonValue content) {
    List<MessagePart> parts = new ArrayList<>();
    addContent(content, parts);
    return parts;
  }

  private static void addContent(JsonValue content, List<MessagePart> parts) {
    if (content instanceof JsonArray array) {
      array.forEach(part -> addContent(part, parts));
    } else if (content instanceof JsonString text) {
      parts.add(MessagePart.text(text.value()));
    } else if (content instanceof JsonObject object) {
      MessagePart typed = typed(object);
      parts.add(typed == null ? untyped(object) : typed);
    } else if (content != JsonNull.NULL) {
      parts.add(other(content));
    }
  }

  private static boolean holdsResults(@Nullable JsonValue content) {
    return content instanceof JsonArray array
        && array.size() > 0
        && array.stream()
            .allMatch(part -> part instanceof JsonObject object
                && (object.has("functionResponse")
                    || (object.get("type") instanceof JsonString type
                        && RESULTS.contains(type.value()))));
  }

  /** Reads a part that states its type; null if it does not, or has the type of a message. */
  private static @Nullable MessagePart typed(JsonObject part) {
    if (!(part.get("type") instanceof JsonString type) || type.value().equals("message")) {
      return null;
    }
    Taken taken = new Taken(part.without("type"));
    if (TEXTS.contains(type.value())) {
      return textPart(Kind.TEXT, taken, part, "text", "content");
    } else if (THOUGHTS.contains(type.value())) {
      return textPart(Kind.REASONING, taken, part, "thinking", "reasoning", "text", "content");
    } else if (CALLS.contains(type.value())) {
      return callPart(taken, part);
    } else if (RESULTS.contains(type.value())) {
      return resultPart(taken);
    }
    return other(part);
  }

  private static MessagePart textPart(Kind kind, Taken taken, JsonObject part, String... names) {
    String text = taken.text(names);
    return text == null
        ? other(part)
        : new MessagePart(kind, null, null, JsonString.of(text), taken.left);
  }

  /** Reads a part of Gemini, or one that nothing is known of. */
  private static MessagePart untyped(JsonObject part) {
    Taken taken = new Taken(part);
    if (part.get("functionCall") instanceof JsonObject call) {
      taken.first("functionCall");
      return withMore(callPart(new Taken(call), part), taken);
    } else if (part.get("functionResponse") instanceof JsonObject result) {
      taken.first("functionResponse");
      return withMore(resultPart(new Taken(result)), taken);
    }
    boolean isThought = taken.is("thought", JsonBoolean.TRUE);
    return textPart(isThought ? Kind.REASONING : Kind.TEXT, taken, part, "text");
  }

  /** Adds the members around a call or a result, which a part that is kept as a whole has. */
  private static MessagePart withMore(MessagePart part, Taken around) {
    return part.is(Kind.OTHER)
        ? part
        : new MessagePart(
            part.kind(), part.id(), part.name(), part.value(), around.with(part.more()));
  }

  private static MessagePart resultPart(Taken taken) {
    String id = taken.text("tool_use_id", "call_id", Names.TOOL_CALL_ID, "id");
    JsonValue result = taken.first("content", "output", "response", "result");
    return new MessagePart(
        Kind.RESULT, id, taken.text("name"), result == null ? JsonNull.NULL : result, taken.left);
  }

  private static MessagePart call(JsonValue value) {
    if (!(value instanceof JsonObject call)) {
      return other(value);
    }
    Taken taken = new Taken(call);
    if (taken.left.get("type") instanceof JsonString type
        && (CALLS.contains(type.value()) || type.value().equals("function"))) {
      taken.first("type");
    }
    if (!(call.get("function") instanceof JsonObject function)) {
      return callPart(taken, call);
    }
    taken.first("function");
    String id = taken.text("id");
    Taken inner = new Taken(id == null ? function : function.without("id"));
    MessagePart part = callPart(inner, call);
    if (part.is(Kind.OTHER)) {
      return part;
    }
    JsonObject more = id == null || !function.has("id")
        ? part.more()
        : part.more().with("id", function.get("id"));
    return new MessagePart(
        Kind.CALL, id == null ? part.id() : id, part.name(), part.value(), taken.with(more));
  }

  private static MessagePart callPart(Taken taken, JsonObject whole) {
    String id = taken.text("call_id", "id");
    String name = taken.text("name", "function");
    JsonValue arguments = taken.first("arguments", "input", "args");
    if (name == null) {
      return other(whole);
    }
    JsonValue parsed =
        arguments instanceof JsonString text ? JsonText.parseContainer(text.value()) : null;
    if (parsed == null) {
      parsed = arguments == null ? JsonObject.EMPTY : arguments;
    }
    return new MessagePart(Kind.CALL, id, name, parsed, taken.left);
  }

  private static MessagePart other(JsonValue part) {
    return new MessagePart(Kind.OTHER, null, null, part, JsonObject.EMPTY);
  }
}
