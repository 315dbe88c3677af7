package dev.agentreplay.model.json;

/**
 * Makes JSON values of what a parser has checked, without checking it again; for parsers alone. Who
 * hands over anything else gets values that break what {@link JsonValue} guarantees. Arrays that
 * are handed over are not copied.
 */
public final class UncheckedValues {

  private UncheckedValues() {}

  /** A string without lone surrogates. */
  public static JsonString string(String text) {
    return new JsonString(text);
  }

  /** A number by the grammar of RFC 8259, section 6, that is finite as a double. */
  public static JsonNumber number(String text) {
    return new JsonNumber(text);
  }

  /** An integer from 0 to 999: always the same object. */
  public static JsonNumber smallNumber(int value) {
    return JsonNumber.SMALL[value];
  }

  /**
   * An array.
   *
   * @param depth its depth: one more than that of its deepest element
   */
  public static JsonArray array(JsonValue[] values, int depth) {
    return new JsonArray(values, depth);
  }

  /**
   * An object.
   *
   * @param names without lone surrogates, each greater than the one before it by
   *     {@link String#compareTo}
   * @param depth its depth: one more than that of its deepest value
   */
  public static JsonObject object(String[] names, JsonValue[] values, int depth) {
    return new JsonObject(names, values, true, null, depth);
  }
}
