package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of a dialect, one for each kind of event. */
final class EventCodec {

  private final String tagName;
  private final Map<EventKind, Table<? extends ReplayEvent>> tables;

  private EventCodec(String tagName, Map<EventKind, Table<? extends ReplayEvent>> tables) {
    this.tagName = tagName;
    this.tables = tables;
  }

  static Builder of(String tagName) {
    return new Builder(tagName);
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
    if (table == null) {
      throw new IllegalStateException("no table for " + kind);
    }
    return table;
  }

  /** Collects the tables of a dialect, which must cover every kind of event. */
  static final class Builder {
    private final String tagName;
    private final Map<EventKind, Table<? extends ReplayEvent>> tables =
        new EnumMap<>(EventKind.class);

    private Builder(String tagName) {
      this.tagName = tagName;
    }

    Builder add(EventKind kind, Table<? extends ReplayEvent> table) {
      tables.put(kind, table);
      return this;
    }

    EventCodec build() {
      if (tables.size() != EventKind.values().length) {
        throw new IllegalStateException("tables for " + tables.keySet() + " only");
      }
      return new EventCodec(tagName, tables);
    }
  }
}
