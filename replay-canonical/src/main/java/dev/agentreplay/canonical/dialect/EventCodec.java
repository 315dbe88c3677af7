package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a dialect, one for each kind of event. A table is created when it is first used,
 * because a table costs dozens of classes, and most logs have few kinds of events in one dialect.
 * Safe for use by several threads.
 */
final class EventCodec {

  private final String tagName;
  private final Function<EventKind, Table<? extends ReplayEvent>> create;

  /** The tables that were created; replaced, never changed. */
  private volatile Map<EventKind, Table<? extends ReplayEvent>> tables =
      new EnumMap<>(EventKind.class);

  /**
   * Creates a codec.
   *
   * @param tagName the name of the member with the type of an event
   * @param create creates the table of a kind of event
   */
  EventCodec(String tagName, Function<EventKind, Table<? extends ReplayEvent>> create) {
    this.tagName = tagName;
    this.create = create;
  }

  String tagName() {
    return tagName;
  }

  /** The type of event that the tag of an object names; null if there is no tag. */
  @Nullable
  String tag(JsonObject object) {
    return object.get(tagName) instanceof JsonString tag ? tag.value() : null;
  }

  /** The kind of event that the tag of an object names. */
  EventKind kind(JsonObject object) {
    return kind(tag(object));
  }

  private static EventKind kind(@Nullable String tag) {
    return tag == null ? EventKind.UNKNOWN : EventKind.ofTag(tag);
  }

  Decoded decode(JsonObject object) {
    return decode(object, tag(object));
  }

  /** Decodes an object as an event of the type that a tag names. */
  Decoded decode(JsonObject object, @Nullable String tag) {
    Table<? extends ReplayEvent> table = table(kind(tag));
    Members members = table.read(object);
    if (members.identified()) {
      return new Decoded(table.build(members), members.findings());
    }
    Table<? extends ReplayEvent> unknown = table(EventKind.UNKNOWN);
    return new Decoded(
        unknown.build(unknown.read(object)),
        members.findings().stream()
            .filter(finding -> finding.code() == FindingCode.EVENT_INVALID)
            .toList());
  }

  /** The table of a kind of event. */
  Table<? extends ReplayEvent> table(EventKind kind) {
    Table<? extends ReplayEvent> table = tables.get(kind);
    return table == null ? create(kind) : table;
  }

  private synchronized Table<? extends ReplayEvent> create(EventKind kind) {
    Table<? extends ReplayEvent> known = tables.get(kind);
    if (known != null) {
      return known;
    }
    Table<? extends ReplayEvent> table = create.apply(kind);
    Map<EventKind, Table<? extends ReplayEvent>> more = new EnumMap<>(EventKind.class);
    more.putAll(tables);
    more.put(kind, table);
    tables = more;
    return table;
  }
}
