package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** The text of a message, whose content is a string, or an array of blocks. */
public final class MessageText {

  private MessageText() {}

  /**
   * Returns the text of a content: the content itself, or the first member {@code text} of its
   * parts; null if it has none.
   */
  public static @Nullable String of(@Nullable JsonValue content) {
    if (content instanceof JsonArray parts) {
      for (JsonValue part : parts) {
        if (part instanceof JsonObject object && object.get("text") instanceof JsonString text) {
          return text.value();
        }
      }
      return null;
    }
    JsonValue text = content instanceof JsonObject part ? part.get("text") : content;
    return text instanceof JsonString string ? string.value() : null;
  }
}
