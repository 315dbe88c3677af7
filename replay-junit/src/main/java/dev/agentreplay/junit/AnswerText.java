package dev.agentreplay.junit;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The texts of an answer of a model: of a text, a message, or the parts of a message. */
final class AnswerText {

  private static final List<String> MEMBERS = List.of("content", "text", "parts");

  /** The types of the parts of a message that are not the answer to a user. */
  private static final Set<String> NOT_SAID = Set.of(
      "reasoning",
      "thinking",
      Names.TOOL_CALL,
      Names.TOOL_RESULT,
      Names.TOOL_USE,
      Names.FUNCTION_CALL,
      "tool");

  private AnswerText() {}

  /** Whether a text of an answer contains another text. */
  static boolean contains(@Nullable JsonValue answer, String text) {
    if (answer instanceof JsonString string) {
      return string.value().contains(text);
    } else if (answer instanceof JsonArray array) {
      return array.stream().anyMatch(part -> contains(part, text));
    } else if (answer instanceof JsonObject object) {
      return isSaid(object)
          && MEMBERS.stream().anyMatch(member -> contains(object.get(member), text));
    }
    return false;
  }

  private static boolean isSaid(JsonObject part) {
    return !(part.get("type") instanceof JsonString type
        && NOT_SAID.contains(type.value().toLowerCase(Locale.ROOT)));
  }
}
