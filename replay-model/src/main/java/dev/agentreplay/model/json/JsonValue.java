package dev.agentreplay.model.json;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value (RFC 8259). See the package description for what is guaranteed of every value.
 *
 * <p>The {@code as…} methods return the value in its Java form, or throw
 * {@link IllegalStateException} when it is of another kind.
 */
public sealed interface JsonValue
    permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

  /** How deep arrays and objects may be nested: a scalar has depth 0, {@code []} has depth 1. */
  int MAX_DEPTH = 1_000;

  /**
   * Returns the JSON form of a plain Java value: null; {@link CharSequence},
   * {@link java.nio.file.Path}, {@link java.io.File}, {@link java.net.URI}, {@link java.net.URL},
   * {@link java.util.UUID} and the times and amounts of {@code java.time}, by their text;
   * {@link java.util.Date} and {@link java.util.Calendar}, by the text of their instant;
   * {@link Boolean}; {@link Number}; {@link Enum}, by its name; {@link java.util.Map} with keys
   * that are texts, numbers or constants; {@link Record}, by its components;
   * {@link java.util.Optional}, by its value or null; {@link Iterable}; an array, where
   * {@code byte[]} (and {@link java.nio.ByteBuffer}) is Base64 text (RFC 4648, section 4) and
   * {@code char[]} text; or a {@code JsonValue}; nested as they may be.
   *
   * @throws IllegalArgumentException for any other type, or a value that JSON cannot hold
   * @see LenientJson for values of any type
   */
  static JsonValue of(@Nullable Object value) {
    return Conversion.STRICT.toJson(value, 0);
  }

  /** How deep this value is nested: 0 for scalars, 1 + the deepest element for the others. */
  default int depth() {
    return 0;
  }

  /** What this value is, for messages: "string", "number", "boolean", "null", "array", "object". */
  String typeName();

  /**
   * The value at a JSON Pointer (RFC 6901), or null where there is none.
   *
   * @throws IllegalArgumentException if {@code pointer} is not a JSON Pointer
   */
  default @Nullable JsonValue find(String pointer) {
    return JsonPointer.parse(pointer).find(this);
  }

  /**
   * The value at a JSON Pointer (RFC 6901).
   *
   * @throws NoSuchElementException if there is none
   * @throws IllegalArgumentException if {@code pointer} is not a JSON Pointer
   */
  default JsonValue at(String pointer) {
    JsonValue found = find(pointer);
    if (found == null) {
      throw new NoSuchElementException("no value at \"" + pointer + "\"");
    }
    return found;
  }

  /** Whether this is the JSON null. */
  default boolean isNull() {
    return this == JsonNull.NULL;
  }

  /** The text of a string. */
  default String asString() {
    throw JsonPrinter.wrongType("string", this);
  }

  /**
   * The value of a number that is an integer.
   *
   * @throws ArithmeticException if the number is not an integer, does not fit a long, or is longer
   *     than 64 characters
   */
  default long asLong() {
    throw JsonPrinter.wrongType("number", this);
  }

  /** The double nearest to a number. */
  default double asDouble() {
    throw JsonPrinter.wrongType("number", this);
  }

  /** The value of a boolean. */
  default boolean asBoolean() {
    throw JsonPrinter.wrongType("boolean", this);
  }

  /** This value as an object. */
  default JsonObject asObject() {
    throw JsonPrinter.wrongType("object", this);
  }

  /** This value as an array. */
  default JsonArray asArray() {
    throw JsonPrinter.wrongType("array", this);
  }
}
