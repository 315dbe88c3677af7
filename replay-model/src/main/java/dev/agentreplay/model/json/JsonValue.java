package dev.agentreplay.model.json;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value (RFC 8259). The package description lists the guarantees for all values. Use
 * {@link #of} to convert a Java value.
 *
 * <p>The {@code as…} methods return the value in its Java form, or throw
 * {@link IllegalStateException} when it is of another type.
 */
public sealed interface JsonValue
    permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

  /**
   * The maximum depth of nested arrays and objects: a scalar has depth 0, {@code []} has depth 1.
   */
  int MAX_DEPTH = 1_000;

  /**
   * Returns the JSON form of a plain Java value: null; {@link CharSequence},
   * {@link java.nio.file.Path}, {@link java.io.File}, {@link java.net.URI}, {@link java.net.URL},
   * {@link java.util.UUID} and the times and amounts of {@code java.time}, by their text;
   * {@link java.util.Date} and {@link java.util.Calendar}, by the text of their instant;
   * {@link Boolean}; {@link Number}; {@link Enum}, by its name; {@link java.util.Map}, whose keys
   * become names: the text of the key's JSON form, and not null; {@link Record}, by its components;
   * {@link java.util.Optional}, by its value or null; {@link Iterable}; an array, where
   * {@code byte[]} (and {@link java.nio.ByteBuffer}, {@link MediaContent}) becomes Base64 text (RFC
   * 4648, section 4) and {@code char[]} text; or a {@code JsonValue}. Values may be nested.
   *
   * @throws IllegalArgumentException for any other type, or a value that JSON cannot represent
   * @see LenientJson for values of any type
   */
  static JsonValue of(@Nullable Object value) {
    return Conversion.STRICT.toJson(value, 0);
  }

  /**
   * The depth of this value: 0 for scalars and 1 + the greatest depth of an element for arrays and
   * objects.
   */
  default int depth() {
    return 0;
  }

  /**
   * The name of this value's type, for messages: "string", "number", "boolean", "null", "array" or
   * "object".
   */
  String typeName();

  /**
   * Returns the value at a JSON Pointer (RFC 6901), or null when it does not exist.
   *
   * @throws IllegalArgumentException if {@code pointer} is not a JSON Pointer
   */
  default @Nullable JsonValue find(String pointer) {
    return JsonPointer.parse(pointer).find(this);
  }

  /**
   * Returns the value at a JSON Pointer (RFC 6901).
   *
   * @throws NoSuchElementException if it does not exist
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

  /** Returns the text of a string. */
  default String asString() {
    throw JsonPrinter.wrongType("string", this);
  }

  /**
   * Returns the value of a number that is an integer.
   *
   * @throws ArithmeticException if the number is not an integer, does not fit a long, or is longer
   *     than 64 characters
   */
  default long asLong() {
    throw JsonPrinter.wrongType("number", this);
  }

  /** Returns the double nearest to a number. */
  default double asDouble() {
    throw JsonPrinter.wrongType("number", this);
  }

  /** Returns the value of a boolean. */
  default boolean asBoolean() {
    throw JsonPrinter.wrongType("boolean", this);
  }

  /** Returns this value as an object. */
  default JsonObject asObject() {
    throw JsonPrinter.wrongType("object", this);
  }

  /** Returns this value as an array. */
  default JsonArray asArray() {
    throw JsonPrinter.wrongType("array", this);
  }
}
