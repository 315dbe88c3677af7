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

/** A JSON object: members in their order, no name twice. Equality ignores the order. */
public final class JsonObject implements JsonValue {

  /** The object without members. */
  public static final JsonObject EMPTY = new Builder().build();

  /** From this many members on, names are searched for where they are sorted, or found by hash. */
  private static final int INDEXED_SIZE = 9;

  private final String[] names;
  private final JsonValue[] values;

  /** Whether each name is greater than the one before it. */
  private final boolean sorted;

  private final @Nullable Map<String, Integer> index;
  private final int depth;

  /** Members of a known depth; has an index where there are many and they are not sorted. */
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
    this.depth = depth;
  }

  /**
   * An object of names and values in turn, as in {@code JsonObject.of("path", p, "limit", 20)};
   * values are converted as by {@link JsonValue#of}.
   *
   * @throws IllegalArgumentException if a name is not a string, stands twice, or has no value
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

  /** A new, empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** The number of members. */
  public int size() {
    return names.length;
  }

  /** Whether there are no members. */
  public boolean isEmpty() {
    return names.length == 0;
  }

  /** The name of the member at a position. */
  public String name(int position) {
    return names[Objects.checkIndex(position, names.length)];
  }

  /** The value of the member at a position. */
  public JsonValue value(int position) {
    return values[Objects.checkIndex(position, values.length)];
  }

  /** The names in order. */
  public List<String> names() {
    return List.of(names);
  }

  /** The value of a member, or null where there is none. */
  public @Nullable JsonValue get(String name) {
    int position = position(names, names.length, sorted, index, name);
    return position < 0 ? null : values[position];
  }

  /** Whether there is a member with this name. */
  public boolean has(String name) {
    return get(name) != null;
  }

  /** This object with a member set: in its old place, or at the end when it is new. */
  public JsonObject with(String name, @Nullable Object value) {
    JsonValue json = JsonValue.of(value);
    Builder builder = new Builder();
    boolean replaced = false;
    for (int i = 0; i < names.length; i++) {
      boolean same = names[i].equals(name);
      builder.add(names[i], same ? json : values[i]);
      replaced |= same;
    }
    return replaced ? builder.build() : builder.add(name, json).build();
  }

  /** This object without the members of these names. */
  public JsonObject without(String... removed) {
    List<String> dropped = List.of(removed);
    Builder builder = new Builder();
    for (int i = 0; i < names.length; i++) {
      if (!dropped.contains(names[i])) {
        builder.add(names[i], values[i]);
      }
    }
    return builder.size == names.length ? this : builder.build();
  }

  /** Hands every member to the action, in order. */
  public void forEach(BiConsumer<String, JsonValue> action) {
    for (int i = 0; i < names.length; i++) {
      action.accept(names[i], values[i]);
    }
  }

  /** The members as an unmodifiable map, in order. */
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
    if (!(other instanceof JsonObject that) || that.names.length != names.length) {
      return false;
    }
    for (int i = 0; i < names.length; i++) {
      if (!values[i].equals(that.get(names[i]))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int sum = 0;
    for (int i = 0; i < names.length; i++) {
      sum += names[i].hashCode() ^ (31 * values[i].hashCode());
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

  /** Collects the members of an object. Not safe for use by several threads. */
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
     * @throws IllegalArgumentException if there is one of this name already
     */
    public Builder add(String name, JsonValue value) {
      if (!addIfAbsent(name, value)) {
        throw new IllegalArgumentException("duplicate name: " + JsonPrinter.print(name));
      }
      return this;
    }

    /**
     * Adds a member of anything that {@link JsonValue#of(Object)} takes.
     *
     * @throws IllegalArgumentException if there is one of this name already, or the value has no
     *     JSON form
     */
    public Builder put(String name, @Nullable Object value) {
      return add(name, JsonValue.of(value));
    }

    /** Adds a member unless there is one of this name already; returns whether it was added. */
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
     * The object of the members so far. The builder may be used on.
     *
     * @throws IllegalArgumentException if it would be nested too deep
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
