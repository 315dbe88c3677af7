package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** The text of a message, whose content is a string, or an array of blocks. */
public final class MessageText {

  private MessageText() {}

  /** Returns the string, or the {@code text} of the first block that has one; null if none has. */
  public static @Nullable String of(@Nullable JsonValue content) {
    if (content instanceof JsonString text) {
      return text.value();
    }
    if (content instanceof JsonArray blocks) {
      for (JsonValue block : blocks) {
        String text = block instanceof JsonObject object ? SourceHead.text(object, "text") : null;
        if (text != null) {
          return text;
        }
      }
    }
    return null;
  }
}
