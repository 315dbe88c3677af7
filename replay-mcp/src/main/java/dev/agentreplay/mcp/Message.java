package dev.agentreplay.mcp;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message between a client and a server.
 *
 * @param sender the side that sent it
 * @param line the number of its line among those of both sides, from 1
 * @param pointer the JSON Pointer to it in a batch; null if it is the whole line
 * @param text the text of the line, without its end; of a message in a batch, an equal text
 * @param json the message; null if the line is not a JSON object
 */
record Message(
    Side sender, long line, @Nullable String pointer, String text, @Nullable JsonObject json) {

  /** An escape of a surrogate, or of a pair of them. */
  private static final Pattern SURROGATES = Pattern.compile(
      "(?<!\\\\)((?:\\\\\\\\)*)(\\\\u[dD][89abAB]\\p{XDigit}{2}\\\\u[dD][c-fC-F]\\p{XDigit}{2}"
          + "|\\\\u[dD][89a-fA-F]\\p{XDigit}{2})");

  private static final int PAIR = "\\ud800\\udc00".length();

  /** Reads a line: a message, a batch, or a text that is neither. */
  static List<Message> read(Side sender, long line, String text) {
    JsonValue value = parse(text);
    if (value instanceof JsonArray batch && batch.size() > 0) {
      List<Message> messages = new ArrayList<>();
      for (JsonValue each : batch) {
        JsonObject json = each instanceof JsonObject object ? object : null;
        messages.add(new Message(sender, line, "/" + messages.size(), each.toString(), json));
      }
      return messages;
    }
    JsonObject json = value instanceof JsonObject object ? object : null;
    return List.of(new Message(sender, line, null, text, json));
  }

  private static @Nullable JsonValue parse(String text) {
    try {
      return JsonText.parse(text);
    } catch (JsonSyntaxException e) {
      return parseWellFormed(text);
    }
  }

  /** Parses a text with U+FFFD for each escape of a lone surrogate, which no JSON value has. */
  private static @Nullable JsonValue parseWellFormed(String text) {
    Matcher escapes = SURROGATES.matcher(text);
    String wellFormed = escapes.replaceAll(match -> Matcher.quoteReplacement(
        match.group(1) + (match.group(2).length() == PAIR ? match.group(2) : "\\ufffd")));
    try {
      return wellFormed.equals(text) ? null : JsonText.parse(wellFormed);
    } catch (JsonSyntaxException notJson) {
      return null;
    }
  }

  /** Whether the line looks like a message or a batch, and is not valid JSON. */
  boolean isUnreadable() {
    if (json != null || pointer != null) {
      return false;
    }
    String start = text.stripLeading();
    return start.startsWith("{")
        || (start.startsWith("[") && start.substring(1).stripLeading().startsWith("{"));
  }

  /** The method; null if it is not a request or a notification. */
  @Nullable
  String method() {
    return json != null && json.get("method") instanceof JsonString method ? method.value() : null;
  }

  /** The id of the request, or of the one that this responds to; null if it has none. */
  @Nullable
  JsonValue id() {
    JsonValue id = json == null ? null : json.get("id");
    return id instanceof JsonString || id instanceof JsonNumber ? id : null;
  }

  boolean isRequest() {
    return method() != null && id() != null;
  }

  boolean isResponse() {
    return json != null && method() == null && (json.has("result") || json.has("error"));
  }

  JsonObject params() {
    return json != null && json.get("params") instanceof JsonObject params
        ? params
        : JsonObject.EMPTY;
  }

  /** The token by which a request asks for its progress; null if it does not. */
  @Nullable
  JsonValue progressToken() {
    return params().get("_meta") instanceof JsonObject meta ? meta.get("progressToken") : null;
  }

  /**
   * The name of the type of the message: its method, or that of the request that it answers.
   *
   * @param request the method of that request; null if it is not known
   */
  String type(@Nullable String request) {
    String method = method();
    if (method != null) {
      return method;
    } else if (!isResponse()) {
      return "text";
    }
    boolean isError = json != null && json.has("error");
    return (request == null ? "response" : request) + (isError ? "/error" : "/result");
  }

  ContentHash hash() {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
