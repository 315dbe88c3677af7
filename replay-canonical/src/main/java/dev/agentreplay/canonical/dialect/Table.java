package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.KeyOrder;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of one kind of event, or of a receipt, in one dialect: its rows, and the function
 * that builds the event from them. Reading and writing use the same rows.
 *
 * @param <E> the type of the event
 */
final class Table<E> {

  private final List<Row<E, ?>> rows;
  private final Map<String, Integer> places = new HashMap<>();
  private final Row<E, ?>[] sorted;
  private final Row<E, ?>[] sortedOutsideLanes;
  private final @Nullable Row<E, Timestamp> time;
  private final boolean leavesOver;
  private final boolean additional;
  private final boolean requiresTime;
  private final Function<Members, E> build;
  private final long needed;

  private Table(Layout<E> layout, Function<Members, E> build) {
    this.rows = List.copyOf(layout.rows);
    this.time = layout.time;
    this.leavesOver = layout.leavesOver;
    this.additional = layout.additional;
    this.requiresTime = layout.requiresTime;
    this.build = build;
    if (rows.size() > Long.SIZE) {
      throw new IllegalStateException("more than " + Long.SIZE + " rows: " + rows.size());
    }
    long bits = 0;
    for (Row<E, ?> row : rows) {
      if (row.presence == Presence.REQUIRED || row.presence == Presence.IDENTITY) {
        bits |= row.bit();
      }
      Row<E, ?> hashed = row.hashed;
      if (hashed != null && KeyOrder.CODE_POINT.compare(hashed.name, row.name) > 0) {
        throw new IllegalStateException(row.name + " is written before " + hashed.name);
      }
      row.isOmitted =
          row.presence == Presence.OPTIONAL && hashed == null && !row.hasFallback() && !isTime(row);
    }
    List<Row<E, ?>> inOrder = new ArrayList<>(rows);
    inOrder.sort((l, r) -> KeyOrder.CODE_POINT.compare(l.name, r.name));
    this.sorted = array(inOrder);
    inOrder.removeIf(row -> row.isOfLane);
    this.sortedOutsideLanes = array(inOrder);
    for (int place = 0; place < sorted.length; place++) {
      if (places.put(sorted[place].name, place) != null) {
        throw new IllegalStateException("two rows are named " + sorted[place].name);
      }
    }
    this.needed = bits;
  }

  /** Creates a table. The function adds the rows and returns the function that builds the event. */
  static <E> Table<E> of(Function<Layout<E>, Function<Members, E>> definition) {
    Layout<E> layout = new Layout<>();
    Function<Members, E> build = definition.apply(layout);
    return new Table<>(layout, build);
  }

  /** The rows in the order of their definition. */
  List<Row<E, ?>> rows() {
    return rows;
  }

  /** The rows in canonical order. The array must not be modified. */
  Row<E, ?>[] sorted() {
    return sorted;
  }

  /**
   * The rows in canonical order without those of the lane, which most events do not have. The array
   * must not be modified.
   */
  Row<E, ?>[] sortedOutsideLanes() {
    return sortedOutsideLanes;
  }

  @SuppressWarnings("unchecked") // Java has no arrays of rows with type arguments
  private static <E> Row<E, ?>[] array(List<Row<E, ?>> rows) {
    return rows.toArray((Row<E, ?>[]) new Row<?, ?>[0]);
  }

  /**
   * Whether members that the rows can read may become extra members because they are inconsistent
   * with each other.
   */
  boolean leavesOver() {
    return leavesOver;
  }

  /** Whether the specification of the dialect does not name the event. */
  boolean isAdditional() {
    return additional;
  }

  /** Whether a row is the time of the event, which the writer may fill in. */
  boolean isTime(Row<E, ?> row) {
    return time != null && time.index == row.index;
  }

  /** Whether the specification of the dialect defines a time for the event. */
  boolean saysTime() {
    return time != null && !time.isAdditional();
  }

  /** The name of the time of the event if the specification requires it; null otherwise. */
  @Nullable
  String requiredTime() {
    return requiresTime && time != null ? time.name : null;
  }

  /** The bits of the rows whose absence has consequences: required and identifying ones. */
  long needed() {
    return needed;
  }

  @Nullable
  Row<E, ?> row(String name) {
    Integer place = places.get(name);
    return place == null ? null : sorted[place];
  }

  /**
   * The place of a row among the sorted rows; -1 if there is none. Fast if the names are sorted and
   * interned, as the parser's are.
   *
   * @param from the place after that of the previous name
   */
  @SuppressWarnings("ReferenceEquality") // other names are looked up in the map
  int place(String name, int from) {
    for (int place = from; place < sorted.length; place++) {
      if (sorted[place].name == name) {
        return place;
      }
    }
    return places.getOrDefault(name, -1);
  }

  Members read(JsonObject object) {
    return new Members(object, this);
  }

  E build(Members members) {
    return build.apply(members);
  }

  /** Adds rows to a table under construction. */
  static final class Layout<E> {
    private final List<Row<E, ?>> rows = new ArrayList<>();
    private boolean leavesOver;
    private boolean additional;
    private boolean requiresTime;
    private boolean hashesAdditional;
    private @Nullable Row<E, Timestamp> time;

    <T> Row<E, T> identity(String name, FieldType<T> type, Function<E, @Nullable T> get) {
      return add(name, Presence.IDENTITY, type, get);
    }

    <T> Row<E, T> required(String name, FieldType<T> type, Function<E, @Nullable T> get) {
      return add(name, Presence.REQUIRED, type, get);
    }

    <T> Row<E, T> nullable(String name, FieldType<T> type, Function<E, @Nullable T> get) {
      return add(name, Presence.NULLABLE, type, get);
    }

    <T> Row<E, T> optional(String name, FieldType<T> type, Function<E, @Nullable T> get) {
      return add(name, Presence.OPTIONAL, type, get);
    }

    /**
     * Names the members that the specification of the dialect defines, separated by spaces; all
     * others become additional.
     */
    void specified(String names) {
      Set<String> unknown = new HashSet<>(List.of(names.split(" ")));
      for (Row<E, ?> row : rows) {
        if (!unknown.remove(row.name)) {
          row.additional();
        }
      }
      if (!unknown.isEmpty()) {
        throw new IllegalStateException("no rows are named " + unknown);
      }
    }

    /** Adds the hash of another row's value, which the writer computes. */
    Row<E, ContentHash> hash(
        String name,
        Presence presence,
        Row<E, JsonValue> hashed,
        Function<E, @Nullable ContentHash> get) {
      Row<E, ContentHash> row =
          add(name, presence, FieldType.HASH, get).role(EventMember.Role.NONE);
      row.hashed = hashed;
      hashed.isHashed = true;
      if (hashesAdditional) {
        row.additional();
      }
      return row;
    }

    /**
     * Marks the hashes that are added afterwards as additional: the specification of the dialect
     * defines none.
     */
    void statesNoHashes() {
      hashesAdditional = true;
    }

    /**
     * Allows members that the rows can read to become extra members because they are inconsistent
     * with each other.
     */
    void leavesOver() {
      leavesOver = true;
    }

    /** Marks the event as additional: the specification of the dialect does not name it. */
    Layout<E> additionalEvent() {
      additional = true;
      return this;
    }

    /** Restricts the component of a row that was added already, beyond its type. */
    @SuppressWarnings("ReferenceEquality") // each type is one object
    void restrict(String name, Restriction<JsonValue> restriction) {
      for (Row<E, ?> row : rows) {
        if (row.name.equals(name) && row.type == FieldType.VALUE) {
          restrict(row, restriction);
          return;
        }
      }
      throw new IllegalStateException("no row for any value is named " + name);
    }

    @SuppressWarnings("unchecked") // a row of the type VALUE
    private static <E> void restrict(Row<E, ?> row, Restriction<JsonValue> restriction) {
      ((Row<E, JsonValue>) row).restrict(restriction);
    }

    /**
     * Marks the time of the event as required by the specification. Real logs may lack it, so the
     * row itself is optional.
     */
    void requiresTime() {
      requiresTime = true;
    }

    /** Adds the time of the event. */
    Row<E, Timestamp> time(String name, Function<E, @Nullable Timestamp> get) {
      Row<E, Timestamp> row = optional(name, FieldType.TIME, get);
      time = row;
      return row;
    }

    <T> Row<E, T> add(
        String name, Presence presence, FieldType<T> type, Function<E, @Nullable T> get) {
      Row<E, T> row = new Row<>(name, presence, type, get, rows.size());
      rows.add(row);
      return row;
    }
  }
}
