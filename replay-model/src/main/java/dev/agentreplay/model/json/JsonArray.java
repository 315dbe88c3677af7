package dev.agentreplay.model.json;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A JSON array. Immutable and safe for use by several threads. */
public final class JsonArray implements JsonValue, Iterable<JsonValue> {

  /** The array without elements. */
  public static final JsonArray EMPTY = new JsonArray(new JsonValue[0]);

  private final JsonValue[] values;
  private final int depth;

  /** The text from which the elements are created when they are needed; null if they are known. */
  private final @Nullable LazyText lazy;

  private JsonArray(JsonValue[] values) {
    this(values, JsonObject.requireDepth(deepest(values) + 1));
  }

  /** Creates an array of elements whose depth is known; the elements are not copied. */
  JsonArray(JsonValue[] values, int depth) {
    this(values, depth, null);
  }

  /** Creates the array of a text. */
  JsonArray(LazyText lazy, int depth) {
    this(EMPTY.values, depth, lazy);
  }

  private JsonArray(JsonValue[] values, int depth, @Nullable LazyText lazy) {
    this.values = values;
    this.depth = depth;
    this.lazy = lazy;
  }

  private JsonValue[] elements() {
    return lazy == null ? values : lazy.value().asArray().values;
  }

  /**
   * The text from which the elements are created when they are first used; null if there is none.
   */
  @Nullable
  LazyText lazyText() {
    return lazy;
  }

  /** Creates an array of the given values, converted as by {@link JsonValue#of}. */
  public static JsonArray of(@Nullable Object... values) {
    JsonValue[] converted = new JsonValue[values.length];
    for (int i = 0; i < values.length; i++) {
      converted[i] = JsonValue.of(values[i]);
    }
    return new JsonArray(converted);
  }

  /**
   * Creates an array of the given values.
   *
   * @throws IllegalArgumentException if it would be nested deeper than {@link JsonValue#MAX_DEPTH}
   */
  public static JsonArray copyOf(Collection<? extends JsonValue> values) {
    JsonValue[] copy = values.toArray(JsonValue[]::new);
    for (JsonValue value : copy) {
      Objects.requireNonNull(value, "element");
    }
    return new JsonArray(copy);
  }

  /** The number of elements. */
  public int size() {
    return elements().length;
  }

  /**
   * Returns the element at an index.
   *
   * @throws IndexOutOfBoundsException if the index is out of range
   */
  public JsonValue get(int index) {
    JsonValue[] elements = elements();
    return elements[Objects.checkIndex(index, elements.length)];
  }

  /** Returns the elements in order. */
  public List<JsonValue> values() {
    return Collections.unmodifiableList(Arrays.asList(elements()));
  }

  /** Returns the elements in order. */
  public Stream<JsonValue> stream() {
    return Arrays.stream(elements());
  }

  @Override
  public Iterator<JsonValue> iterator() {
    return values().iterator();
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public String typeName() {
    return "array";
  }

  @Override
  public JsonArray asArray() {
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonArray that && Arrays.equals(elements(), that.elements());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(elements());
  }

  @Override
  public String toString() {
    return JsonPrinter.print(this);
  }

  private static int deepest(JsonValue[] values) {
    int deepest = 0;
    for (JsonValue value : values) {
      deepest = Math.max(deepest, value.depth());
    }
    return deepest;
  }
}
