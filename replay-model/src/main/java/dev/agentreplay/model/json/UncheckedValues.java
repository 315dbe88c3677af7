package dev.agentreplay.model.json;

import org.jspecify.annotations.Nullable;

/**
 * Creates JSON values from input that a parser has already checked, without checking it again. Only
 * for parsers: other input results in values that break the guarantees of {@link JsonValue}. Arrays
 * are not copied, and must not be changed afterwards.
 */
public final class UncheckedValues {

  private UncheckedValues() {}

  /**
   * Creates a string.
   *
   * @param text a text without lone surrogates
   */
  public static JsonString string(String text) {
    return new JsonString(text);
  }

  /**
   * Creates a number.
   *
   * @param text a number by the grammar of RFC 8259, section 6, that is finite as a double
   */
  public static JsonNumber number(String text) {
    return new JsonNumber(text);
  }

  /** Returns the number of an integer from 0 to 999, always as the same object. */
  public static JsonNumber smallNumber(int value) {
    return JsonNumber.SMALL[value];
  }

  /**
   * Creates an array.
   *
   * @param depth the depth of the array: one more than that of its deepest element
   */
  public static JsonArray array(JsonValue[] values, int depth) {
    return new JsonArray(values, depth);
  }

  /**
   * Creates an object.
   *
   * @param names names without lone surrogates, each greater than the one before it by
   *     {@link String#compareTo}
   * @param depth the depth of the object: one more than that of its deepest value
   */
  public static JsonObject object(String[] names, JsonValue[] values, int depth) {
    return new JsonObject(names, values, true, null, depth);
  }

  /** Creates the string of a text, which is parsed when the string is first used. */
  public static JsonString string(LazyText json) {
    return new JsonString(json);
  }

  /**
   * Creates the array of a text, which is parsed when the array is first used.
   *
   * @param depth the depth of the array
   */
  public static JsonArray array(LazyText json, int depth) {
    return new JsonArray(json, depth);
  }

  /**
   * Creates the object of a text, which is parsed when the object is first used.
   *
   * @param depth the depth of the object
   */
  public static JsonObject object(LazyText json, int depth) {
    return new JsonObject(json, depth);
  }

  /** The text of a value that was created from one; null for other values. */
  public static @Nullable LazyText lazyText(JsonValue value) {
    return value instanceof JsonString string
        ? string.lazyText()
        : value instanceof JsonObject object
            ? object.lazyText()
            : value instanceof JsonArray array ? array.lazyText() : null;
  }
}
