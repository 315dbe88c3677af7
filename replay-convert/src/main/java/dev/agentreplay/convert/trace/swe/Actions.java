package dev.agentreplay.convert.trace.swe;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The actions of an answer as calls of tools. */
final class Actions {

  /** The tool of an action that is a text, which is typed into a shell. */
  static final String SHELL = "bash";

  private static final String FENCE = "```";
  private static final List<String> LANGUAGES = List.of("mswea_bash_command", "bash");

  private long generated;

  /** The calls that the model asked for by name; empty if the answer has none. */
  List<ToolCall> named(@Nullable JsonValue toolCalls, Meta meta) {
    List<ToolCall> calls = new ArrayList<>();
    if (!(toolCalls instanceof JsonArray array)) {
      return calls;
    }
    for (JsonValue element : array) {
      JsonObject call = element instanceof JsonObject object ? object : JsonObject.EMPTY;
      JsonObject function = call.get("function") instanceof JsonObject inner ? inner : call;
      String name = SourceHead.text(function, "name");
      if (name == null) {
        continue; // a part of an answer other than a call
      }
      String id = SourceHead.text(call, "call_id");
      id = id == null ? SourceHead.text(call, "id") : id;
      calls.add(ToolCall.of(
              id == null || id.isBlank() ? nextId() : id,
              name,
              arguments(function.get("arguments")))
          .withMeta(meta));
    }
    return calls;
  }

  /** The arguments, which are JSON in a text; a text that is not JSON is a parameter of its own. */
  private static JsonValue arguments(@Nullable JsonValue arguments) {
    if (arguments == null) {
      return JsonObject.EMPTY;
    }
    String text = arguments instanceof JsonString string ? string.value() : null;
    if (text == null) {
      return arguments;
    }
    return JsonText.parseOrString(text) instanceof JsonObject object
        ? object
        : JsonObject.of("arguments", text);
  }

  /** The call of the shell with a command. */
  ToolCall shell(String command, Meta meta) {
    return ToolCall.of(nextId(), SHELL, JsonObject.of("command", command)).withMeta(meta);
  }

  private String nextId() {
    return "action-" + ++generated;
  }

  /**
   * The command in the text of an answer: that of its only fenced block in the language of actions;
   * null if it has none, or several.
   */
  static @Nullable String inText(String text) {
    String found = null;
    for (String language : LANGUAGES) {
      String start = FENCE + language;
      for (int at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
        int line = text.indexOf('\n', at);
        int end = line < 0 ? -1 : text.indexOf("\n" + FENCE, line);
        boolean isAction =
            end > line && text.substring(at + start.length(), line).isBlank();
        if (isAction && found != null) {
          return null;
        }
        found = isAction ? text.substring(line + 1, end).strip() : found;
      }
    }
    return found;
  }
}
