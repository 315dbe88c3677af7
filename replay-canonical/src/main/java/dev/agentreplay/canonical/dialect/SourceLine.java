package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.ConversionLedger.Entry;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A line to convert: its members as its own dialect reads them, and as the target dialect would.
 */
final class SourceLine {

  final Dialect from;
  final Dialect to;
  final JsonObject members;
  final ReplayEvent event;

  /** The type of the event that the source states; empty if it states none. */
  final String tag;

  final Table<? extends ReplayEvent> table;

  /** The kind that the tag names, even if the event lacks an identifying member. */
  private final EventKind named;

  /** The members that have no equivalent in the target dialect. */
  private final Set<String> displaced;

  SourceLine(Dialect from, Dialect to, JsonObject members, ReplayEvent event) {
    this.from = from;
    this.to = to;
    this.members = members;
    this.event = event;
    String type = from.codec().tag(members);
    this.tag = type == null ? "" : type;
    this.table = from.codec().table(event.kind());
    this.named = event.kind() == EventKind.UNKNOWN ? EventKind.ofTag(tag) : event.kind();
    this.displaced = to.displaced(event);
  }

  /** The table of the event in the target dialect. */
  Table<? extends ReplayEvent> target() {
    return to.codec().table(event.kind());
  }

  /** The rows of a component whose members are present in the line. */
  Stream<? extends Row<?, ?>> rows(String component) {
    return table.rows().stream()
        .filter(row -> row.component().equals(component) && members.has(row.name));
  }

  /** The ledger entry of a component that moves to another event. */
  Stream<Entry> movedTo(SourceLine other, String component) {
    String name = other.tag + "." + to.nameOf(other.event.kind(), component);
    return rows(component)
        .limit(1)
        .map(row -> new Entry(Action.MOVED, tag, row.name, name, null, 1));
  }

  /** Whether the line has a component that could be read. */
  boolean reads(String component) {
    return rows(component).anyMatch(row -> isReadable(row, members.get(row.name)));
  }

  /** Whether the line has a component that could not be read. */
  boolean misreads(String component) {
    return rows(component).anyMatch(row -> {
      JsonValue value = members.get(row.name);
      return value != JsonNull.NULL && !isReadable(row, value);
    });
  }

  private static boolean isReadable(Row<?, ?> row, @Nullable JsonValue value) {
    return value != null && row.type.read(value) != null;
  }

  /**
   * The empty array or object that the line has for a component; null if there is none.
   *
   * @param elsewhere the members of the line that are moved or carried over
   */
  @Nullable
  JsonValue empty(Row<?, ?> target, Set<String> elsewhere) {
    for (Row<?, ?> row : table.rows()) {
      JsonValue value = members.get(row.name);
      if (value != null
          && row.component().equals(target.component())
          && !elsewhere.contains(row.name)
          && isReadable(row, value)
          && FieldType.isEmpty(value)
          && isReadable(target, value)) {
        return value;
      }
    }
    return null;
  }

  /** Whether the line has a member that could not be read and stays unchanged. */
  boolean keeps(String name) {
    Row<?, ?> row = row(from, name);
    JsonValue value = members.get(name);
    return row != null && value != null && isKept(name, row, value);
  }

  /** Whether a member that is not a component of the event has the same name in the result. */
  boolean stays(String name, JsonValue value) {
    Row<?, ?> row = row(from, name);
    boolean isOurs = name.equals(KeptAside.CARRIED_OVER);
    return row == null ? row(to, name) == null && !isOurs : isKept(name, row, value);
  }

  /**
   * Whether a member stays unchanged: the source could not read it, and the target dialect uses its
   * name for the same component. A null without meaning stays only where it has no meaning in the
   * target either.
   */
  private boolean isKept(String name, Row<?, ?> row, JsonValue value) {
    Row<?, ?> target = row(to, name);
    if (target == null || !target.component().equals(row.component())) {
      return false;
    }
    if (named != event.kind()) {
      return true; // no member of the event was read
    }
    if (value == JsonNull.NULL) {
      return target.presence == Presence.OPTIONAL
          || target.presence == Presence.NULLABLE
          || row.presence == target.presence;
    }
    Object component = row.type.read(value);
    return component == null || (row.saysNothing(component) && isReadable(target, value));
  }

  /** The extra members of an event of this line that stay unchanged. */
  JsonObject staying(JsonObject extra) {
    return KeptAside.only(extra, (name, value) -> !displaced.contains(name) && stays(name, value));
  }

  /**
   * The members of an event of this line that the result cannot contain: members without an
   * equivalent, and members whose name has a different meaning in the target dialect or belongs to
   * a member that comes back.
   */
  JsonObject aside(JsonObject extra, JsonObject back) {
    JsonObject.Builder aside = JsonObject.builder();
    extra.forEach((name, value) -> {
      Row<?, ?> row = row(from, name);
      boolean saysNothing =
          row != null && value == JsonNull.NULL && row.presence != Presence.IDENTITY;
      if (!displaced.contains(name) && (back.has(name) || !stays(name, value)) && !saysNothing) {
        aside.add(name, value);
      }
    });
    members.forEach((name, value) -> {
      if (displaced.contains(name)) {
        aside.add(name, value);
      }
    });
    return aside.build();
  }

  /** The row of a name in a dialect; null if the dialect does not define the name. */
  private @Nullable Row<?, ?> row(Dialect dialect, String name) {
    Row<?, ?> row = dialect.codec().table(named).row(name);
    return row == null ? dialect.codec().table(event.kind()).row(name) : row;
  }
}
