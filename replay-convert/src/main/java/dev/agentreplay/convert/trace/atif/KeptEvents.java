package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events of a session that was exported to ATIF. The exporter keeps the members that ATIF has
 * no place for in {@code extra} of the trajectory, step, call or result, under {@code agentreplay};
 * together with those that ATIF has, they are the events as they were.
 */
final class KeptEvents {

  private static final String EXTRA = "extra";
  private static final String KEPT = "agentreplay";
  private static final String EVENTS = "events";

  private final Dialect dialect;

  private KeptEvents(Dialect dialect) {
    this.dialect = dialect;
  }

  /** The events that are kept in a trajectory; null if it was not exported from a session. */
  static @Nullable KeptEvents of(SourceRecord trajectory) {
    if (!(trajectory.get(EXTRA, KEPT) instanceof JsonObject)) {
      return null;
    }
    boolean isType = Stream.of(EventKind.SESSION_START, EventKind.REPLAY_HEADER)
        .anyMatch(kind -> trajectory.get(EXTRA, KEPT, kind.id(), "ts") != null);
    return new KeptEvents(isType ? Dialect.TYPE : Dialect.EVENT);
  }

  /** The time of the exported session; null if a trajectory was not exported, or states none. */
  static @Nullable Timestamp firstTime(JsonObject trajectory) {
    return trajectory.get(EXTRA) instanceof JsonObject extra
            && extra.get(KEPT) instanceof JsonObject kept
            && kept.get(EventKind.REPLAY_HEADER.id()) instanceof JsonObject header
            && header.get(Names.CREATED_AT) instanceof JsonString time
        ? Timestamp.tryParse(time.value())
        : null;
  }

  /** Whether members of an event of a kind are kept in a record. */
  static boolean has(SourceRecord record, EventKind kind) {
    return record.get(EXTRA, KEPT, kind.id()) instanceof JsonObject;
  }

  /** Whether members of the event that a record stands for are kept in it. */
  static boolean has(SourceRecord record) {
    return record.get(EXTRA, KEPT) instanceof JsonObject;
  }

  /** The members that ATIF has of an event: its time, and others by name and value. */
  JsonObject known(Meta meta, @Nullable Object... others) {
    JsonObject.Builder known = JsonObject.builder();
    if (meta.time() != null) {
      known.put(timeName(), meta.time().text());
    }
    for (int i = 0; i < others.length; i += 2) {
      if (others[i + 1] != null) {
        known.put(String.valueOf(others[i]), others[i + 1]);
      }
    }
    return known.build();
  }

  /**
   * Restores an event of a kind that is kept among others in a record.
   *
   * @param known the members that have a place in ATIF
   * @return the event; null if it cannot be restored
   */
  @Nullable
  ReplayEvent take(SourceRecord record, EventKind kind, JsonObject known) {
    return take(record, kind, known, EXTRA, KEPT, kind.id());
  }

  /** Restores the event that a record stands for. */
  @Nullable
  ReplayEvent takeOwn(SourceRecord record, EventKind kind, JsonObject known) {
    return take(record, kind, known, EXTRA, KEPT);
  }

  private @Nullable ReplayEvent take(
      SourceRecord record, EventKind kind, JsonObject known, String... path) {
    JsonObject kept = record.object(path);
    JsonObject.Builder line = JsonObject.builder().put(dialect.tagName(), kind.id());
    kept.forEach((name, value) -> {
      if (!name.equals(Names.IMPORTED)) {
        line.put(name, value);
      }
    });
    boolean isTool = kind == EventKind.TOOL_CALL || kind == EventKind.TOOL_RESULT;
    String id = isTool && dialect == Dialect.TYPE ? Names.STEP_ID : "id";
    known.forEach((name, value) -> line.addIfAbsent(name.equals("id") ? id : name, value));
    ReplayEvent event = dialect.decode(line.build()).event();
    if (event.kind() != kind) {
      return null;
    }
    for (String name : kept.names()) {
      if (!name.equals(Names.IMPORTED)) { // of an earlier import: it stays in the rest
        String[] member = Stream.concat(Stream.of(path), Stream.of(name)).toArray(String[]::new);
        record.move(kind.id() + "/" + name, member);
      }
    }
    return event;
  }

  /** Takes the other events that are kept in a record, each as a record of its own. */
  List<SourceRecord> others(SourceRecord record) {
    return record.split("event", EXTRA, KEPT, EVENTS);
  }

  /** Restores one of the other events; null if it cannot be, or holds for the exported log only. */
  @Nullable
  ReplayEvent other(SourceRecord record) {
    JsonObject line = record.json().without(Names.IMPORTED);
    if (!(line.get(dialect.tagName()) instanceof JsonString)) {
      return null;
    }
    ReplayEvent event = dialect.decode(line).event();
    if (event instanceof Checkpoint || event instanceof UnknownEvent) {
      return null;
    }
    for (String name : line.names()) {
      record.move(event.kind().id() + "/" + name, name);
    }
    return event;
  }

  /** Whether one of the other events is of a kind. */
  boolean is(SourceRecord other, EventKind kind) {
    return kind.id().equals(other.text(dialect.tagName()));
  }

  /** The time of one of the other events; null if it states none. */
  @Nullable
  Timestamp time(SourceRecord other) {
    String text = other.text(timeName());
    return text == null ? null : Timestamp.tryParse(text);
  }

  /** The time of the event that a record stands for; null if it states none of its own. */
  @Nullable
  Timestamp ownTime(SourceRecord record) {
    String text = record.text(EXTRA, KEPT, timeName());
    return text == null ? null : Timestamp.tryParse(text);
  }

  private String timeName() {
    return dialect == Dialect.TYPE ? "ts" : "t";
  }

  /** The model call that a kept prompt is a change of; null if it is none. */
  static @Nullable String base(SourceRecord step) {
    return step.text(EXTRA, KEPT, EventKind.MODEL_CALL.id(), Names.PROMPT_DELTA, "base");
  }

  /** Whether the kept model result of a step had an answer; without one, its message is empty. */
  static boolean hasAnswer(SourceRecord step) {
    return !JsonString.of("").equals(step.get("message"))
        || step.get(EXTRA, KEPT, EventKind.MODEL_RESULT.id(), "answer_hash") != null;
  }

  /** The id of the kept model call of a step; null if there is none. */
  static @Nullable String callId(SourceRecord step) {
    return step.text(EXTRA, KEPT, EventKind.MODEL_CALL.id(), "id");
  }
}
