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
 * The members of one kind of object, in the order of the specification, and how to build it from
 * them. Reading, checking and writing all go by the rows, so that they cannot disagree.
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

  /** Lays out a table: the function adds its rows, and says how to build the object from them. */
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
   * The object that a value stands for; null when there are problems, all of which are reported.
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

  /** Adds rows to a table that is being made. */
  static final class Layout<E> {
    private final List<Row<E, ?>> rows = new ArrayList<>();

    /** A member that must be there. */
    <T> Row.Needed<E, T> required(String name, MemberType<T> type, Function<E, @Nullable T> get) {
      return add(new Row.Needed<>(name, rows.size(), type, get, null));
    }

    /** A member that stands for a default where it is not there. */
    <T> Row.Needed<E, T> defaulted(
        String name, MemberType<T> type, Function<E, @Nullable T> get, T fallback) {
      return add(new Row.Needed<>(name, rows.size(), type, get, fallback));
    }

    /** A member that may be absent. */
    <T> Row<E, T> optional(String name, MemberType<T> type, Function<E, @Nullable T> get) {
      return add(new Row<>(name, rows.size(), type, get));
    }

    /** A member that may be absent, and is no component: it is left over, and checked. */
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

    /** A row whose component is never null: it must be there, or has a default. */
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

    /** A row without a component: what it reads is left over. */
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

    /** Where the row stands in its table, and its component among those that were read. */
    final int index;

    private final MemberType<T> type;
    private final Function<E, @Nullable T> get;

    Row(String name, int index, MemberType<T> type, Function<E, @Nullable T> get) {
      this.name = name;
      this.index = index;
      this.type = type;
      this.get = get;
    }

    /** The component of an object without the member. */
    @Nullable
    T absent(Place place) {
      return null;
    }

    /** The component that a value stands for; null when it stands for none, which is reported. */
    @Nullable
    T read(JsonValue value, Place place) {
      return type.reader().read(value, place.member(name));
    }

    /** Whether a component that was read from a value would be written as another one. */
    boolean isRespelled(Object component, JsonValue value) {
      return value instanceof JsonNumber && !value.equals(type.writer().apply(cast(component)));
    }

    /**
     * The value to write: the component, in the spelling it was read with; null where there is
     * none.
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

  /** The members of one object, read by the rows of its table; what no row holds is left over. */
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

    /** The component of a row, or null. */
    @SuppressWarnings("unchecked") // read by the row itself
    <T> @Nullable T get(Row<?, T> row) {
      return (T) components[row.index];
    }

    /** The component of a row that has one in every object without problems. */
    <T> T get(Row.Needed<?, T> row) {
      return Objects.requireNonNull(get((Row<?, T>) row), row.name);
    }

    /** The members that no row holds, in their order. */
    JsonObject leftOver() {
      return leftOver;
    }

    private boolean isLeftOver(Row<?, ?> row, JsonValue value) {
      Object component = components[row.index];
      return component == null || row.isRespelled(component, value);
    }
  }
}
