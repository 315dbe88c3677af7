package dev.agentreplay.publish.secret;

import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a streamed text that was redacted. Their lengths are in proportion to those of the
 * pieces of the original text, and add up to the length of the redacted one.
 */
final class RedactedChunks {

  private RedactedChunks() {}

  /**
   * The pieces of the redacted value.
   *
   * @param before the value as it was
   * @param after the value without secrets, which has the same shape; names may differ
   */
  static Chunks of(Chunks chunks, @Nullable JsonValue before, @Nullable JsonValue after) {
    String text = before == null ? null : chunks.textIn(before);
    if (text == null || before == null || after == null) {
      return chunks;
    }
    JsonPointer place = chunks.place() == null ? null : JsonPointer.parse(chunks.place());
    Found found = find(before, after, text, place, JsonPointer.ROOT, JsonPointer.ROOT);
    if (found == null) {
      return Chunks.NONE;
    }
    Chunks pieces = found.text.equals(text) ? chunks : scaled(chunks, found.text);
    return pieces.isEmpty() ? pieces : pieces.withPlace(found.place.toString());
  }

  private static Chunks scaled(Chunks chunks, String text) {
    long total = chunks.totalLength();
    long length = text.codePointCount(0, text.length());
    Chunks.Builder builder = Chunks.builder();
    long sum = 0;
    long done = 0;
    for (int i = 0; i < chunks.size(); i++) {
      sum += chunks.length(i);
      long end = sum * length / total;
      if (end > done) {
        builder.add(chunks.offsetMillis(i), (int) (end - done));
        done = end;
      }
    }
    return builder.build();
  }

  private record Found(String text, JsonPointer place) {}

  /** Finds the redacted text of the streamed one: at its place, or else the first of its length. */
  private static @Nullable Found find(
      JsonValue before,
      JsonValue after,
      String text,
      @Nullable JsonPointer place,
      JsonPointer at,
      JsonPointer shown) {
    if (before instanceof JsonString string) {
      boolean isPlace = place == null
          ? string.value().codePointCount(0, string.value().length())
              == text.codePointCount(0, text.length())
          : Objects.equals(place, at);
      return isPlace ? new Found(after.asString(), shown) : null;
    } else if (before instanceof JsonObject object) {
      JsonObject other = after.asObject();
      for (int i = 0; i < object.size(); i++) {
        Found found = find(
            object.value(i),
            other.value(i),
            text,
            place,
            at.append(object.name(i)),
            shown.append(other.name(i)));
        if (found != null) {
          return found;
        }
      }
    } else if (before instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        Found found =
            find(array.get(i), after.asArray().get(i), text, place, at.append(i), shown.append(i));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
