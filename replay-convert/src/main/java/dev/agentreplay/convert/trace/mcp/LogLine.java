package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of a log, with the place of its message.
 *
 * @param json the line; a message that it holds as a text is parsed
 * @param members the names of the members with messages, or batches of them; empty if the line
 *     itself is the message, or if it has none
 * @param isMessage whether the line itself is the message
 * @param parsed the names of the members whose text was parsed
 */
record LogLine(JsonObject json, List<String> members, boolean isMessage, List<String> parsed) {

  /** The names of the members that hold the message. */
  private static final List<String> NAMES = List.of(
      "message",
      "msg",
      "payload",
      "frame",
      "json",
      "data",
      "body",
      "raw",
      "content",
      "rpc",
      "jsonrpc_message",
      "packet");

  /** The names of two members that hold a request and its response. */
  private static final String REQUEST = "request";

  private static final String RESPONSE = "response";

  /** The members of a line of text: what is before the message, the message, what is after it. */
  static final String BEFORE = "before";

  private static final String MESSAGE = "message";
  private static final String AFTER = "after";

  private static final String MARK = "Message from ";

  /** Reads a line; null if it is not JSON, and has no message. */
  static @Nullable LogLine of(SourceLines.Line line) {
    return line.json() != null ? of(line.json()) : ofText(String.valueOf(line.text()));
  }

  static LogLine of(JsonObject json) {
    if (json.has("jsonrpc") && isMessage(json)) {
      return new LogLine(json, List.of(), true, List.of());
    }
    for (String name : NAMES) {
      JsonValue value = json.get(name);
      if (holdsMessage(value)) {
        return new LogLine(json, List.of(name), false, List.of());
      }
      JsonValue text = value instanceof JsonString string ? parse(string.value()) : null;
      if (holdsMessage(text)) {
        return new LogLine(json.with(name, text), List.of(name), false, List.of(name));
      }
    }
    boolean isBare =
        isMessage(json) && Methods.isKnown(String.valueOf(SourceHead.text(json, "method")));
    return isBare ? new LogLine(json, List.of(), true, List.of()) : pair(json);
  }

  /** Reads a request with its response, as an inspector lists them. */
  private static LogLine pair(JsonObject json) {
    JsonValue request = value(json, REQUEST);
    if (!(request instanceof JsonObject call) || SourceHead.text(call, "method") == null) {
      return new LogLine(json, List.of(), false, List.of());
    }
    JsonValue stated = value(json, RESPONSE);
    JsonValue response =
        stated instanceof JsonObject answer && !answer.has("result") && !answer.has("error")
            ? JsonObject.of("result", answer)
            : stated;
    JsonObject.Builder copy = JsonObject.builder();
    json.forEach((name, value) ->
        copy.put(name, name.equals(REQUEST) ? request : name.equals(RESPONSE) ? response : value));
    List<String> members =
        response instanceof JsonObject ? List.of(REQUEST, RESPONSE) : List.of(REQUEST);
    List<String> parsed =
        members.stream().filter(name -> json.get(name) instanceof JsonString).toList();
    return new LogLine(copy.build(), members, false, parsed);
  }

  private static @Nullable JsonValue value(JsonObject json, String name) {
    JsonValue value = json.get(name);
    JsonValue parsed = value instanceof JsonString text ? parse(text.value()) : null;
    return parsed == null ? value : parsed;
  }

  /**
   * Reads a line of text with a message in it, such as {@code 2025-01-01T10:00:00.000Z [files]
   * [info] Message from client: {"method":...} { metadata: undefined }}; or a batch of messages.
   */
  static @Nullable LogLine ofText(String text) {
    if (text.startsWith("[")
        && JsonText.parseContainer(text) instanceof JsonArray batch
        && holdsMessage(batch)) {
      return new LogLine(JsonObject.of(MESSAGE, batch), List.of(MESSAGE), false, List.of());
    }
    int start = text.indexOf('{', Math.max(0, text.indexOf(MARK)));
    if (!text.contains(MARK) || start < 0) {
      return null;
    }
    int end = endOfObject(text, start);
    if (JsonText.parseContainer(text.substring(start, end)) instanceof JsonObject message) {
      JsonObject json = JsonObject.of(
          AFTER, text.substring(end), BEFORE, text.substring(0, start), MESSAGE, message);
      return new LogLine(json, List.of(MESSAGE), false, List.of());
    }
    return null;
  }

  /** The index after the object that begins at an index; the length if it does not end. */
  private static int endOfObject(String text, int start) {
    int depth = 0;
    boolean isText = false;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        isText = !isText;
      } else if (!isText && c == '{') {
        depth++;
      } else if (!isText && c == '}' && --depth == 0) {
        return i + 1;
      }
    }
    return text.length();
  }

  private static @Nullable JsonValue parse(String text) {
    return JsonText.parseContainer(text);
  }

  private static boolean holdsMessage(@Nullable JsonValue value) {
    return value instanceof JsonArray batch
        ? batch.size() > 0
            && batch.stream()
                .allMatch(each -> each instanceof JsonObject object && isMessage(object))
        : value instanceof JsonObject object && isMessage(object);
  }

  private static boolean isMessage(JsonObject object) {
    boolean isVersioned = object.has("jsonrpc");
    return SourceHead.text(object, "method") != null
        ? isVersioned || object.has("id") || object.has("params")
        : (object.has("result") || object.has("error")) && (isVersioned || object.has("id"));
  }

  /** Whether a line has a message with a method that only this protocol has. */
  boolean isOfProtocol() {
    if (isMessage) {
      return isOfProtocol(json);
    }
    return members.stream()
        .map(json::get)
        .anyMatch(value -> value instanceof JsonArray batch
            ? batch.stream().anyMatch(each -> isOfProtocol(each.asObject()))
            : value instanceof JsonObject message && isOfProtocol(message));
  }

  private static boolean isOfProtocol(JsonObject message) {
    String method = String.valueOf(SourceHead.text(message, "method"));
    return method.equals(Methods.INITIALIZE)
        ? message.get("params") instanceof JsonObject params && params.has("protocolVersion")
        : Methods.sender(method) != null && method.contains("/");
  }
}
