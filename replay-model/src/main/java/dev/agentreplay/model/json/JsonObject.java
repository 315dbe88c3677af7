package dev.agentreplay.model.json;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object: an ordered sequence of members with distinct names. Equality ignores the order.
 * Immutable and safe for use by several threads.
 */
public final class JsonObject implements JsonValue {

  /** The object without members. */
  public static final JsonObject EMPTY = new Builder().build();

  /**
   * The number of members from which on {@link #get} uses binary search if the names are sorted, or
   * else a hash index.
   */
  private static final int INDEXED_SIZE = 9;

  private final String[] names;
  private final JsonValue[] values;

  /** Whether each name is greater than the one before it by {@link String#compareTo}. */
  private final boolean sorted;

  private final @Nullable Map<String, Integer> index;

  /** The depth, at most {@link JsonValue#MAX_DEPTH}; a short, so that objects stay at 32 bytes. */
  private final short depth;

  /** The text from which the members are created when they are needed; null if they are known. */
  private final @Nullable LazyText lazy;

  /**
   * Creates an object of members whose depth is known. {@code index} is null unless the object has
   * many members that are not sorted. The arrays are not copied.
   */
  JsonObject(
      String[] names,
      JsonValue[] values,
      boolean sorted,
      @Nullable Map<String, Integer> index,
      int depth) {
    this.names = names;
    this.values = values;
    this.sorted = sorted;
    this.index = index;
    this.depth = (short) depth;
    this.lazy = null;
  }

  /** Creates the object of a text. */
  JsonObject(LazyText lazy, int depth) {
    this.names = EMPTY.names;
    this.values = EMPTY.values;
    this.sorted = true;
    this.index = null;
    this.depth = (short) depth;
    this.lazy = lazy;
  }

  /** The object with its members. */
  private JsonObject known() {
    return lazy == null ? this : lazy.value().asObject();
  }

  /**
   * The text from which the members are created when they are first used; null if there is none.
   */
  @Nullable
  LazyText lazyText() {
    return lazy;
  }

  /**
   * Creates an object of alternating names and values, as in {@code JsonObject.of("path", p,
   * "limit", 20)}; values are converted as by {@link JsonValue#of}.
   *
   * @throws IllegalArgumentException if a name is not a string, occurs twice, or is not followed by
   *     a value, or a value has no JSON form
   */
  public static JsonObject of(@Nullable Object... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "a value is missing: " + namesAndValues.length + " names and values");
    }
    Builder builder = new Builder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (!(namesAndValues[i] instanceof String name)) {
        throw new IllegalArgumentException("not a name: " + namesAndValues[i]);
      }
      builder.add(name, JsonValue.of(namesAndValues[i + 1]));
    }
    return builder.build();
  }

  /** Creates an empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** The number of members. */
  public int size() {
    return known().names.length;
  }

  /** Whether the object does not have any members. */
  public boolean isEmpty() {
    return size() == 0;
  }

  /**
   * Returns the name of the member at a position, from 0.
   *
   * @throws IndexOutOfBoundsException if the position is out of range
   */
  public String name(int position) {
    String[] known = known().names;
    return known[Objects.checkIndex(position, known.length)];
  }

  /**
   * Returns the value of the member at a position, from 0.
   *
   * @throws IndexOutOfBoundsException if the position is out of range
   */
  public JsonValue value(int position) {
    JsonValue[] known = known().values;
    return known[Objects.checkIndex(position, known.length)];
  }

  /** Returns the names in order. */
  public List<String> names() {
    return List.of(known().names);
  }

  /**
   * Returns the value of a member, or null if the object does not have it. A JSON null is
   * {@link JsonNull}.
   */
  public @Nullable JsonValue get(String name) {
    JsonObject known = known();
    int position = position(known.names, known.names.length, known.sorted, known.index, name);
    return position < 0 ? null : known.values[position];
  }

  /** Whether the object has a member with the given name. */
  public boolean has(String name) {
    return get(name) != null;
  }

  /**
   * Returns a copy with a member set: in place of the existing one, or at the end when it is new.
   * The value is converted as by {@link JsonValue#of}.
   */
  public JsonObject with(String name, @Nullable Object value) {
    JsonValue json = JsonValue.of(value);
    Builder builder = new Builder();
    boolean replaced = false;
    JsonObject known = known();
    for (int i = 0; i < known.names.length; i++) {
      boolean same = known.names[i].equals(name);
      builder.add(known.names[i], same ? json : known.values[i]);
      replaced |= same;
    }
    return replaced ? builder.build() : builder.add(name, json).build();
  }

  /** Returns a copy without the members with the given names. */
  public JsonObject without(String... removed) {
    List<String> dropped = List.of(removed);
    Builder builder = new Builder();
    JsonObject known = known();
    for (int i = 0; i < known.names.length; i++) {
      if (!dropped.contains(known.names[i])) {
        builder.add(known.names[i], known.values[i]);
      }
    }
    return builder.size == known.names.length ? this : builder.build();
  }

  /** Calls the action with the name and value of every member, in order. */
  public void forEach(BiConsumer<String, JsonValue> action) {
    JsonObject known = known();
    for (int i = 0; i < known.names.length; i++) {
      action.accept(known.names[i], known.values[i]);
    }
  }

  /** Returns the members as an unmodifiable map, in order. */
  public Map<String, JsonValue> toMap() {
    Map<String, JsonValue> map = new LinkedHashMap<>();
    forEach(map::put);
    return Collections.unmodifiableMap(map);
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public String typeName() {
    return "object";
  }

  @Override
  public JsonObject asObject() {
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    JsonObject known = known();
    if (!(other instanceof JsonObject that) || that.size() != known.names.length) {
      return false;
    }
    for (int i = 0; i < known.names.length; i++) {
      if (!known.values[i].equals(that.get(known.names[i]))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    JsonObject known = known();
    int sum = 0;
    for (int i = 0; i < known.names.length; i++) {
      sum += known.names[i].hashCode() ^ (31 * known.values[i].hashCode());
    }
    return sum;
  }

  @Override
  public String toString() {
    return JsonPrinter.print(this);
  }

  static int requireDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("nested deeper than " + MAX_DEPTH);
    }
    return depth;
  }

  private static int position(
      String[] names, int size, boolean sorted, @Nullable Map<String, Integer> index, String name) {
    if (sorted && size >= INDEXED_SIZE) {
      return Arrays.binarySearch(names, 0, size, name);
    }
    if (index != null) {
      Integer position = index.get(name);
      return position == null ? -1 : position;
    }
    for (int i = 0; i < size; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** A builder of objects. Not safe for use by several threads. */
  public static final class Builder {
    private String[] names = new String[8];
    private JsonValue[] values = new JsonValue[8];
    private boolean sorted = true;
    private @Nullable Map<String, Integer> index;
    private int size;
    private int deepest;

    private Builder() {}

    /**
     * Adds a member.
     *
     * @throws IllegalArgumentException if the object already has a member with this name, or the
     *     name has a lone surrogate
     */
    public Builder add(String name, JsonValue value) {
      if (!addIfAbsent(name, value)) {
        throw new IllegalArgumentException("duplicate name: " + JsonPrinter.print(name));
      }
      return this;
    }

    /**
     * Adds a member whose value is converted as by {@link JsonValue#of(Object)}.
     *
     * @throws IllegalArgumentException if the object already has a member with this name, or the
     *     value has no JSON form
     */
    public Builder put(String name, @Nullable Object value) {
      return add(name, JsonValue.of(value));
    }

    /**
     * Adds a member unless the object already has one with this name. Returns whether it was added.
     *
     * @throws IllegalArgumentException if the name has a lone surrogate
     */
    public boolean addIfAbsent(String name, JsonValue value) {
      JsonString.requireWellFormed(name);
      Objects.requireNonNull(value, "value");
      boolean greatest = sorted && (size == 0 || names[size - 1].compareTo(name) < 0);
      if (!greatest && position(names, size, sorted, index, name) >= 0) {
        return false;
      }
      sorted = greatest;
      if (size == names.length) {
        names = Arrays.copyOf(names, size * 2);
        values = Arrays.copyOf(values, size * 2);
      }
      names[size] = name;
      values[size] = value;
      deepest = Math.max(deepest, value.depth());
      size++;
      if (!sorted) {
        index(name);
      }
      return true;
    }

    private void index(String name) {
      if (index != null) {
        index.put(name, size - 1);
      } else if (size >= INDEXED_SIZE) {
        Map<String, Integer> made = new HashMap<>(32);
        for (int i = 0; i < size; i++) {
          made.put(names[i], i);
        }
        index = made;
      }
    }

    /**
     * Returns an object of the members added so far. The builder can be used further.
     *
     * @throws IllegalArgumentException if the object would be nested deeper than
     *     {@link JsonValue#MAX_DEPTH}
     */
    public JsonObject build() {
      int depth = requireDepth(deepest + 1);
      return new JsonObject(
          Arrays.copyOf(names, size),
          Arrays.copyOf(values, size),
          sorted,
          index == null ? null : new HashMap<>(index),
          depth);
    }
  }
}
