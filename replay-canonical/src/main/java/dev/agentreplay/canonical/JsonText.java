package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Surrogates;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** JSON text to values, and values to text for people; strict as the package description says. */
public final class JsonText {

  private JsonText() {}

  /**
   * Reads one value in UTF-8, and nothing after it but white space.
   *
   * @throws JsonSyntaxException if that is not what the bytes are
   */
  public static JsonValue parse(byte[] utf8) {
    return parse(utf8, 0, utf8.length);
  }

  /**
   * Reads one value from a part of an array; offsets in exceptions count from {@code from}.
   *
   * @throws JsonSyntaxException if the bytes are not a value
   * @throws IndexOutOfBoundsException if there is no such part
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
   * Reads one value from a part of an array, within limits; offsets in exceptions count from
   * {@code from}.
   *
   * @throws JsonSyntaxException if the bytes are not a value, or beyond the limits
   * @throws IndexOutOfBoundsException if there is no such part
   */
  public static JsonValue parse(byte[] utf8, int from, int to, JsonLimits limits) {
    Objects.checkFromToIndex(from, to, utf8.length);
    return new JsonParser(limits).parse(utf8, from, to);
  }

  /**
   * Reads one value; offsets in exceptions count bytes of the text's UTF-8 form.
   *
   * @throws JsonSyntaxException if the text is not a value
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
   * Reads one value, or takes the text itself as a string where it is not JSON: for arguments that
   * a model made.
   *
   * @throws IllegalArgumentException if the text holds a lone surrogate
   */
  public static JsonValue parseOrString(String text) {
    try {
      return parse(text);
    } catch (JsonSyntaxException notJson) {
      return JsonString.of(text);
    }
  }

  /** The value on several lines, indented by two spaces, members in their order, for people. */
  public static String pretty(JsonValue value) {
    return PrettyPrinter.print(value);
  }
}
