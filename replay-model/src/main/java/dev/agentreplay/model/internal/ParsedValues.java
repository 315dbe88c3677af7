package dev.agentreplay.model.internal;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes JSON values of what a parser has checked, without looking at it again. Arrays that are
 * handed over are not copied.
 */
public abstract class ParsedValues {

  private static @Nullable ParsedValues provided;

  /** For the package of the values. */
  protected ParsedValues() {}

  /** The one that there is. */
  public static ParsedValues get() {
    Objects.requireNonNull(JsonObject.EMPTY); // its class provides it
    return Objects.requireNonNull(provided, "provided");
  }

  /** Called once, by the package of the values. */
  public static void provide(ParsedValues values) {
    provided = values;
  }

  /** A string without lone surrogates. */
  public abstract JsonString string(String text);

  /** A number by the grammar, which is finite as a double. */
  public abstract JsonNumber number(String text);

  /** An integer from 0 to 999: always the same object. */
  public abstract JsonNumber smallNumber(int value);

  /**
   * An array.
   *
   * @param depth its depth: one more than that of its deepest element
   */
  public abstract JsonArray array(JsonValue[] values, int depth);

  /**
   * An object.
   *
   * @param names without lone surrogates, each greater than the one before it by
   *     {@link String#compareTo}
   * @param depth its depth: one more than that of its deepest value
   */
  public abstract JsonObject object(String[] names, JsonValue[] values, int depth);
}
