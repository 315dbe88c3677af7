package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of one kind of object, in the order of the specification, and how to build it from
 * them. Reading, checking and writing all go by the rows, so that they cannot disagree.
 *
 * @param <E> the type of the object
 */
final class RecordTable<E extends RecordObject> {

  private final List<RecordRow<E, ?>> rows;
  private final Map<String, RecordRow<E, ?>> byName = new LinkedHashMap<>();
  private final Function<RecordMembers, E> build;

  private RecordTable(List<RecordRow<E, ?>> rows, Function<RecordMembers, E> build) {
    this.rows = List.copyOf(rows);
    this.build = build;
    for (RecordRow<E, ?> row : rows) {
      if (byName.put(row.name, row) != null) {
        throw new IllegalStateException("two rows are named " + row.name);
      }
    }
  }

  /** Lays out a table: the function adds its rows, and says how to build the object from them. */
  static <E extends RecordObject> RecordTable<E> of(
      Function<Layout<E>, Function<RecordMembers, E>> definition) {
    Layout<E> layout = new Layout<>();
    Function<RecordMembers, E> build = definition.apply(layout);
    return new RecordTable<>(layout.rows, build);
  }

  List<RecordRow<E, ?>> rows() {
    return rows;
  }

  @Nullable
  RecordRow<E, ?> row(String name) {
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
    RecordMembers members = new RecordMembers(object, this, place);
    return place.problems().size() == before ? build.apply(members) : null;
  }

  JsonObject write(E object) {
    JsonObject extra = object.extra();
    JsonObject.Builder json = JsonObject.builder();
    for (RecordRow<E, ?> row : rows) {
      JsonValue value = row.write(object, extra);
      if (value != null) {
        json.add(row.name, value);
      }
    }
    extra.forEach((name, value) -> {
      RecordRow<E, ?> row = row(name);
      if (row == null || row instanceof RecordRow.Checked) {
        json.add(name, value);
      }
    });
    return json.build();
  }

  /** Adds rows to a table that is being made. */
  static final class Layout<E> {
    private final List<RecordRow<E, ?>> rows = new ArrayList<>();

    /** A member that must be there. */
    <T> RecordRow.Needed<E, T> required(
        String name, MemberType<T> type, Function<E, @Nullable T> get) {
      return add(new RecordRow.Needed<>(name, rows.size(), type, get, null));
    }

    /** A member that stands for a default where it is not there. */
    <T> RecordRow.Needed<E, T> defaulted(
        String name, MemberType<T> type, Function<E, @Nullable T> get, T fallback) {
      return add(new RecordRow.Needed<>(name, rows.size(), type, get, fallback));
    }

    /** A member that may be absent. */
    <T> RecordRow<E, T> optional(String name, MemberType<T> type, Function<E, @Nullable T> get) {
      return add(new RecordRow<>(name, rows.size(), type, get));
    }

    /** A member that may be absent, and is no component: it is left over, and checked. */
    <T> void checked(String name, MemberType<T> type) {
      add(new RecordRow.Checked<E, T>(name, rows.size(), type));
    }

    private <R extends RecordRow<E, ?>> R add(R row) {
      rows.add(row);
      return row;
    }
  }
}
