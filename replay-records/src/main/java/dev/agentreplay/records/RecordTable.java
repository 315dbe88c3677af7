package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.MemberType.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of one type of object, in the order of the specification, and the function that
 * builds the object from them. Reading, checking and writing all use the same rows, so that they
 * cannot disagree.
 *
 * @param <E> the type of the object
 */
final class RecordTable<E extends RecordObject> {

  private final List<Row<E, ?>> rows;
  private final Map<String, Row<E, ?>> byName = new LinkedHashMap<>();
  private final Function<Members, E> build;

  private RecordTable(List<Row<E, ?>> rows, Function<Members, E> build) {
    this.rows = List.copyOf(rows);
    this.build = build;
    for (Row<E, ?> row : rows) {
      if (byName.put(row.name, row) != null) {
        throw new IllegalStateException("two rows are named " + row.name);
      }
    }
  }

  /**
   * Creates a table: the function adds its rows, and returns the function that builds the object.
   */
  static <E extends RecordObject> RecordTable<E> of(
      Function<Layout<E>, Function<Members, E>> definition) {
    Layout<E> layout = new Layout<>();
    Function<Members, E> build = definition.apply(layout);
    return new RecordTable<>(layout.rows, build);
  }

  List<Row<E, ?>> rows() {
    return rows;
  }

  @Nullable
  Row<E, ?> row(String name) {
    return byName.get(name);
  }

  /**
   * Reads an object from a value; returns null when there are problems, all of which are reported.
   */
  @Nullable
  E read(JsonValue value, Place place) {
    if (!(value instanceof JsonObject object)) {
      place.report(MemberType.wrongType("an object", value));
      return null;
    }
    int before = place.problems().size();
    Members members = new Members(object, this, place);
    return place.problems().size() == before ? build.apply(members) : null;
  }

  JsonObject write(E object) {
    JsonObject extra = object.extra();
    JsonObject.Builder json = JsonObject.builder();
    for (Row<E, ?> row : rows) {
      JsonValue value = row.write(object, extra);
      if (value != null) {
        json.add(row.name, value);
      }
    }
    extra.forEach((name, value) -> {
      Row<E, ?> row = row(name);
      if (row == null || row instanceof Row.Checked) {
        json.add(name, value);
      }
    });
    return json.build();
  }

  /** A builder of the rows of a table. */
  static final class Layout<E> {
    private final List<Row<E, ?>> rows = new ArrayList<>();

    /** Adds a required member. */
    <T> Row.Needed<E, T> required(String name, MemberType<T> type, Function<E, @Nullable T> get) {
      return add(new Row.Needed<>(name, rows.size(), type, get, null));
    }

    /** Adds a member that has a default value when it is missing. */
    <T> Row.Needed<E, T> defaulted(
        String name, MemberType<T> type, Function<E, @Nullable T> get, T fallback) {
      return add(new Row.Needed<>(name, rows.size(), type, get, fallback));
    }

    /** Adds an optional member. */
    <T> Row<E, T> optional(String name, MemberType<T> type, Function<E, @Nullable T> get) {
      return add(new Row<>(name, rows.size(), type, get));
    }

    /**
     * Adds an optional member without a component: it is checked, and kept among the additional
     * members.
     */
    <T> void checked(String name, MemberType<T> type) {
      add(new Row.Checked<E, T>(name, rows.size(), type));
    }

    private <R extends Row<E, ?>> R add(R row) {
      rows.add(row);
      return row;
    }
  }

  /**
   * One member of an object: read, checked and written by one row of its table.
   *
   * @param <E> the type of the object
   * @param <T> the type of the component
   */
  static sealed class Row<E, T> {

    /** A row whose component is never null: the member is required, or has a default. */
    static final class Needed<E, T> extends Row<E, T> {
      private final @Nullable T fallback;

      Needed(
          String name,
          int index,
          MemberType<T> type,
          Function<E, @Nullable T> get,
          @Nullable T fallback) {
        super(name, index, type, get);
        this.fallback = fallback;
      }

      @Override
      @Nullable
      T absent(Place place) {
        if (fallback == null) {
          place.member(name).report("is missing");
        }
        return fallback;
      }
    }

    /** A row without a component: the member is kept among the additional members. */
    static final class Checked<E, T> extends Row<E, T> {
      Checked(String name, int index, MemberType<T> type) {
        super(name, index, type, object -> null);
      }

      @Override
      @Nullable
      T read(JsonValue value, Place place) {
        super.read(value, place);
        return null;
      }
    }

    final String name;

    /** The index of the row in its table, and of its component in {@link Members}. */
    final int index;

    private final MemberType<T> type;
    private final Function<E, @Nullable T> get;

    Row(String name, int index, MemberType<T> type, Function<E, @Nullable T> get) {
      this.name = name;
      this.index = index;
      this.type = type;
      this.get = get;
    }

    /** Returns the component for an object that does not have the member. */
    @Nullable
    T absent(Place place) {
      return null;
    }

    /** Reads the component from a value; returns null when that fails, which is reported. */
    @Nullable
    T read(JsonValue value, Place place) {
      return type.reader().read(value, place.member(name));
    }

    /** Whether a component that was read from a number would be written in a different spelling. */
    boolean isRespelled(Object component, JsonValue value) {
      return value instanceof JsonNumber && !value.equals(type.writer().apply(cast(component)));
    }

    /**
     * Returns the value to write: the component, in the spelling that it was read in; null when the
     * member is not written.
     */
    @Nullable
    JsonValue write(E object, JsonObject extra) {
      JsonValue kept = extra.get(name);
      T component = get.apply(object);
      if (component == null) {
        return null;
      }
      boolean keepsSpelling =
          kept instanceof JsonNumber && component.equals(type.reader().read(kept, Place.root()));
      return keepsSpelling ? kept : type.writer().apply(component);
    }

    @SuppressWarnings("unchecked") // read by this row
    private T cast(Object component) {
      return (T) component;
    }
  }

  /** The members of one object, read by the rows of its table, and the additional members. */
  static final class Members {

    private final @Nullable Object[] components;
    private final JsonObject leftOver;

    private Members(JsonObject object, RecordTable<?> table, Place place) {
      components = new Object[table.rows().size()];
      for (Row<?, ?> row : table.rows()) {
        JsonValue value = object.get(row.name);
        components[row.index] = value == null ? row.absent(place) : row.read(value, place);
      }
      JsonObject.Builder extra = JsonObject.builder();
      for (int i = 0; i < object.size(); i++) {
        Row<?, ?> row = table.row(object.name(i));
        if (row == null || isLeftOver(row, object.value(i))) {
          extra.add(object.name(i), object.value(i));
        }
      }
      leftOver = extra.build();
    }

    /** Returns the component of a row, or null. */
    @SuppressWarnings("unchecked") // read by the row itself
    <T> @Nullable T get(Row<?, T> row) {
      return (T) components[row.index];
    }

    /** Returns the component of a row that has one in every object without problems. */
    <T> T get(Row.Needed<?, T> row) {
      return Objects.requireNonNull(get((Row<?, T>) row), row.name);
    }

    /** Returns the additional members, in their order. */
    JsonObject leftOver() {
      return leftOver;
    }

    private boolean isLeftOver(Row<?, ?> row, JsonValue value) {
      Object component = components[row.index];
      return component == null || row.isRespelled(component, value);
    }
  }
}
