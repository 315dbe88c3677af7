package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Surrogates;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

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
   * Returns a value as human-readable JSON on several lines, indented by two spaces, with the
   * members in their order.
   */
  public static String pretty(JsonValue value) {
    return PrettyPrinter.print(value);
  }
}
