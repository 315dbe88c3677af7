package dev.agentreplay.model.json;

import dev.agentreplay.model.internal.Surrogates;
import java.util.Objects;

/**
 * A JSON string: a sequence of Unicode code points.
 *
 * @param value its text; holds no lone surrogate, since those have no UTF-8 form
 */
public record JsonString(String value) implements JsonValue {

  /** Checks the text. */
  public JsonString {
    requireWellFormed(value);
  }

  /**
   * A string with this text.
   *
   * @throws IllegalArgumentException if it holds a lone surrogate
   */
  public static JsonString of(String value) {
    return new JsonString(value);
  }

  /** Refuses text with a lone surrogate; used for member names as well. */
  static String requireWellFormed(String text) {
    Objects.requireNonNull(text, "text");
    int lone = Surrogates.indexOfLone(text);
    if (lone >= 0) {
      throw new IllegalArgumentException(
          "text has a lone surrogate U+%04X at index %d".formatted((int) text.charAt(lone), lone));
    }
    return text;
  }

  @Override
  public String typeName() {
    return "string";
  }

  @Override
  public String asString() {
    return value;
  }

  @Override
  public String toString() {
    return JsonPrinter.print(this);
  }
}
