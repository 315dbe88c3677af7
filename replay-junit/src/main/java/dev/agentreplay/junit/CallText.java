package dev.agentreplay.junit;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.view.RecordedToolCall;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Text about a recorded call in messages. */
final class CallText {

  private static final int MAX_MEMBERS = 50;

  private CallText() {}

  /** The name of a call. */
  static String name(RecordedToolCall call) {
    return "call %s of %s"
        .formatted(Shown.name(call.call().id()), Shown.name(call.call().tool()));
  }

  /** The line and the name of a call. */
  static String line(RecordedToolCall call) {
    return "line %d: %s".formatted(call.line(), name(call));
  }

  /** A line with the params of a call. */
  static String params(RecordedToolCall call) {
    return "\n  params: " + value(call::params, call.call().params());
  }

  /** Lines with the exit code, error and output of a call. */
  static String outcome(RecordedToolCall call) {
    ToolResult result = call.result();
    if (result == null) {
      return "\n  no result";
    }
    Outcome outcome = result.outcome();
    StringBuilder out = new StringBuilder();
    if (outcome.exitCode() != null) {
      out.append("\n  exit code: ").append(outcome.exitCode());
    }
    if (outcome.error() != null) {
      out.append("\n  error: ").append(Shown.value(outcome.error().json()));
    }
    if (!outcome.isKnown()) {
      out.append("\n  effects: not known");
    }
    return out.append("\n  output: ")
        .append(value(call::output, result.output()))
        .toString();
  }

  /** Reads a value that is in the log or in a blob. */
  private interface Reading {
    @Nullable
    JsonValue read() throws IOException;
  }

  private static String value(Reading reading, Content content) {
    try {
      JsonValue value = reading.read();
      return value == null ? absent(content) : Shown.value(value);
    } catch (IOException e) {
      return "cannot be read: " + Shown.cause(e);
    }
  }

  /** The reason why a value is missing. */
  static String absent(Content content) {
    if (content.blob() != null) {
      return "not in the log, and its blob %s is missing"
          .formatted(content.blob().blob());
    }
    return content.hash() == null
        ? "not in the log"
        : "not in the log, only the hash " + content.hash();
  }

  /** A description of the deepest existing value on the path of a pointer that does not resolve. */
  static String members(JsonValue root, String pointer) {
    String place = pointer;
    JsonValue value = null;
    while (value == null) {
      place = place.substring(0, place.lastIndexOf('/'));
      value = JsonText.find(root, JsonPointer.parse(place));
    }
    String there = place.isEmpty() ? "it" : Shown.name(place);
    if (value instanceof JsonString text && JsonText.beginsLikeContainer(text.value())) {
      JsonValue held = JsonText.parseContainer(text.value());
      if (held == null) {
        return there + " is a string, which is not valid JSON";
      }
      value = held;
    }
    if (value instanceof JsonArray array) {
      return "%s is an array of %s".formatted(there, PlainText.count(array.size(), "element"));
    }
    if (!(value instanceof JsonObject object)) {
      return "%s is a %s%s"
          .formatted(
              there,
              value.typeName(),
              value instanceof JsonString
                  ? ", which has no members: hasOutput and hasOutputMatching compare a text"
                  : "");
    }
    if (object.isEmpty()) {
      return there + " is an empty object";
    }
    String prefix = place;
    return object.names().stream()
        .limit(MAX_MEMBERS)
        .map(name -> Shown.name(prefix + "/" + JsonPointer.escape(name)))
        .collect(
            Collectors.joining(", ", there + " has ", object.size() > MAX_MEMBERS ? ", …" : ""));
  }
}
