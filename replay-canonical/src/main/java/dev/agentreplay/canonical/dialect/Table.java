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
 * The members of one kind of event, or receipt, in one dialect: its rows, and how to build it from
 * them. Both directions go by the same rows.
 *
 * @param <E> the type of the event
 */
final class Table<E> {

  private final List<Row<E, ?>> rows;
  private final Map<String, Integer> places = new HashMap<>();
  private final Row<E, ?>[] sorted;
  private final @Nullable Row<E, Timestamp> time;
  private final boolean leavesOver;
  private final boolean additional;
  private final Function<Members, E> build;
  private final long needed;

  private Table(Layout<E> layout, Function<Members, E> build) {
    this.rows = List.copyOf(layout.rows);
    this.time = layout.time;
    this.leavesOver = layout.leavesOver;
    this.additional = layout.additional;
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
    }
    List<Row<E, ?>> inOrder = new ArrayList<>(rows);
    inOrder.sort((l, r) -> KeyOrder.CODE_POINT.compare(l.name, r.name));
    this.sorted = array(inOrder);
    for (int place = 0; place < sorted.length; place++) {
      if (places.put(sorted[place].name, place) != null) {
        throw new IllegalStateException("two rows are named " + sorted[place].name);
      }
    }
    this.needed = bits;
  }

  /** Lays out a table: the function adds its rows, and says how to build the event from them. */
  static <E> Table<E> of(Function<Layout<E>, Function<Members, E>> definition) {
    Layout<E> layout = new Layout<>();
    Function<Members, E> build = definition.apply(layout);
    return new Table<>(layout, build);
  }

  /** The rows as they were laid out. */
  List<Row<E, ?>> rows() {
    return rows;
  }

  /** The rows in the order of the canonical form; the array is not to be changed. */
  Row<E, ?>[] sorted() {
    return sorted;
  }

  @SuppressWarnings("unchecked") // there are no arrays of rows with type arguments
  private static <E> Row<E, ?>[] array(List<Row<E, ?>> rows) {
    return rows.toArray((Row<E, ?>[]) new Row<?, ?>[0]);
  }

  /** Whether members that its rows can read may be left over, since they do not fit together. */
  boolean leavesOver() {
    return leavesOver;
  }

  /** Whether the specification of the dialect does not name the event. */
  boolean isAdditional() {
    return additional;
  }

  /** Whether a row is that of the event's time, which whoever writes the event may say. */
  boolean isTime(Row<E, ?> row) {
    return time != null && time.index == row.index;
  }

  /** Whether the specification of the dialect has a time in the event. */
  boolean saysTime() {
    return time != null && !time.isAdditional();
  }

  /** The bits of the rows that say something is wrong when their member is absent. */
  long needed() {
    return needed;
  }

  @Nullable
  Row<E, ?> row(String name) {
    Integer place = places.get(name);
    return place == null ? null : sorted[place];
  }

  /**
   * The place of a row among those that are sorted, or -1; found at once when the names are sorted
   * as well, and are those of the parser.
   *
   * @param from the place behind that of the name before
   */
  @SuppressWarnings("ReferenceEquality") // other names are looked up
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

  /** Adds rows to a table that is being made. */
  static final class Layout<E> {
    private final List<Row<E, ?>> rows = new ArrayList<>();
    private boolean leavesOver;
    private boolean additional;
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
     * The members that the specification of the dialect names, separated by spaces; the others are
     * additional.
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

    /** The hash of another row's value, which whoever writes the event computes. */
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

    /** The specification of the dialect has no hashes: those that are added from here on. */
    void statesNoHashes() {
      hashesAdditional = true;
    }

    /** Members that its rows can read may be left over, since they do not fit together. */
    void leavesOver() {
      leavesOver = true;
    }

    /** The specification of the dialect does not name the event. */
    Layout<E> additionalEvent() {
      additional = true;
      return this;
    }

    /** The time of the event. */
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
