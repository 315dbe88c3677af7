package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Surrogates;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON text into values and pretty-prints values. The package description lists what strict
 * parsing rejects. Safe for use by several threads.
 */
public final class JsonText {

  private JsonText() {}

  /**
   * Parses UTF-8 bytes that consist of one JSON value and optional white space around it.
   *
   * @throws JsonSyntaxException if the bytes are anything else
   */
  public static JsonValue parse(byte[] utf8) {
    return parse(utf8, 0, utf8.length);
  }

  /**
   * Parses one value from a range of an array. Offsets in exceptions count from {@code from}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws JsonSyntaxException if the range is not one JSON value
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public static JsonValue parse(byte[] utf8, int from, int to) {
    Objects.checkFromToIndex(from, to, utf8.length);
    JsonParser parser = JsonParser.acquire();
    try {
      return parser.parse(utf8, from, to);
    } finally {
      parser.release();
    }
  }

  /**
   * Parses one value from a range of an array within limits. Offsets in exceptions count from
   * {@code from}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws JsonSyntaxException if the range is not one JSON value or exceeds the limits
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public static JsonValue parse(byte[] utf8, int from, int to, JsonLimits limits) {
    Objects.checkFromToIndex(from, to, utf8.length);
    return new JsonParser(limits).parse(utf8, from, to);
  }

  /**
   * Parses one value. Offsets in exceptions count the bytes of the text's UTF-8 form.
   *
   * @throws JsonSyntaxException if the text is not one JSON value
   */
  public static JsonValue parse(String text) {
    // String.getBytes would turn a lone surrogate into '?'
    int lone = Surrogates.indexOfLone(text);
    if (lone >= 0) {
      int offset = text.substring(0, lone).getBytes(StandardCharsets.UTF_8).length;
      throw new JsonSyntaxException(
          JsonSyntaxException.Reason.ENCODING, offset, "lone surrogate U+%04X".formatted((int)
                  text.charAt(lone)));
    }
    return parse(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Parses one value, or returns the text as a JSON string if it is not JSON. Intended for tool
   * arguments written by a model.
   *
   * @throws IllegalArgumentException if the text contains a lone surrogate
   */
  public static JsonValue parseOrString(String text) {
    try {
      return parse(text);
    } catch (JsonSyntaxException notJson) {
      return JsonString.of(text);
    }
  }

  /**
   * Returns the object or array that a text holds as a whole, with optional white space around it.
   * Returns null if the text is anything else: not JSON, one of the JSON values without members, or
   * beyond the limits of {@link JsonLimits#defaults}.
   */
  public static @Nullable JsonValue parseContainer(String text) {
    if (!beginsLikeContainer(text)) {
      return null;
    }
    try {
      return parse(text);
    } catch (JsonSyntaxException notJson) {
      return null;
    }
  }

  /**
   * Whether the first character of a text after JSON white space begins an object or array. If not,
   * {@link #parseContainer} returns null.
   */
  public static boolean beginsLikeContainer(String text) {
    int first = 0;
    while (first < text.length() && " \t\r\n".indexOf(text.charAt(first)) >= 0) {
      first++;
    }
    return first < text.length() && (text.charAt(first) == '{' || text.charAt(first) == '[');
  }

  /**
   * Returns the value at a JSON Pointer (RFC 6901) that continues into text: in a string that holds
   * an object or array, as {@link #parseContainer} parses it, the next token of the pointer is one
   * of that value. Returns null when the value does not exist.
   */
  public static @Nullable JsonValue find(JsonValue root, JsonPointer pointer) {
    JsonValue value = root;
    for (String token : pointer.tokens()) {
      JsonValue holder =
          value instanceof JsonString string ? parseContainer(string.value()) : value;
      value = holder == null ? null : JsonPointer.child(holder, token);
      if (value == null) {
        return null;
      }
    }
    return value;
  }

  /**
   * Reads the hash in a string like {@link ContentHash#tryParseAnyForm(String)}. A string of a
   * {@link JsonDocument} need not be created for this.
   */
  public static @Nullable ContentHash findHash(JsonString string) {
    return CanonicalText.hash(string);
  }

  /**
   * Reads the time in a string like {@link Timestamp#tryParse(String)}. A string of a
   * {@link JsonDocument} need not be created for this.
   */
  public static @Nullable Timestamp findTime(JsonString string) {
    return CanonicalText.time(string);
  }

  /**
   * Returns a value as human-readable JSON on several lines, indented by two spaces, with the
   * members in their order.
   */
  public static String pretty(JsonValue value) {
    return PrettyPrinter.print(value);
  }
}
