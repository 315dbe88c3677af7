package dev.agentreplay.convert.trace.export;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event that is exported, with an account of the members of its line. Not safe for use by
 * several threads.
 */
final class ExportedEvent {

  /** The members that state the time of an event, in the dialects. */
  private static final List<String> TIMES =
      List.of("t", "ts", Names.CREATED_AT, Names.STARTED_AT, Names.ENDED_AT);

  private final long line;
  private final ReplayEvent event;
  private final SourceRecord record;
  private final @Nullable JsonValue value;
  private final Instant time;
  private final String tagName;
  private boolean isTimeStated;

  /**
   * Creates an event.
   *
   * @param line the number of its line, from 1
   * @param record its line, with the value of a blob in place of the reference
   * @param value the value that the event carries, a prompt in full; null if it is not recorded
   * @param time the time of the event, or of the last event before it that states one
   * @param tagName the name of the member that states the kind
   */
  ExportedEvent(
      long line,
      ReplayEvent event,
      SourceRecord record,
      @Nullable JsonValue value,
      Instant time,
      String tagName) {
    this.line = line;
    this.event = event;
    this.record = record;
    this.value = value;
    this.time = time;
    this.tagName = tagName;
  }

  long line() {
    return line;
  }

  ReplayEvent event() {
    return event;
  }

  SourceRecord record() {
    return record;
  }

  /** The kind of the event as the log states it. */
  String kind() {
    return record.type();
  }

  /** The value that the event carries, a prompt in full; null if it is not recorded. */
  @Nullable
  JsonValue value() {
    return value;
  }

  /** The time of the event as it states it; null if it does not. */
  @Nullable
  String timeText() {
    return event.time() == null ? null : event.time().text();
  }

  /** The time, for a place of the result that requires one and has it in a different form. */
  Instant time(String to) {
    if (!isTimeStated && event.time() != null) {
      transform(to, TIMES);
    } else if (!isTimeStated) {
      record.generate(to, "the time of the last event before it that states one");
    }
    isTimeStated = true;
    return time;
  }

  /** The time, for a place of the result that has it in a different form; it is kept as well. */
  Instant keptTime(String to) {
    for (String name : TIMES) {
      record.derive(to, name);
    }
    return time;
  }

  /** The time, which is not written. */
  Instant time() {
    return time;
  }

  /** States that the time is at a place of the result as it is. */
  void moveTime(String to) {
    move(to, TIMES.toArray(String[]::new));
  }

  /** States that the first of some members that exists is at a place of the result. */
  void move(String to, String... names) {
    for (String name : names) {
      if (record.get(name) != null) {
        record.move(to, name);
        return;
      }
    }
  }

  private void transform(String to, List<String> names) {
    for (String name : names) {
      if (record.get(name) != null) {
        record.transform(to, name);
        return;
      }
    }
  }

  /**
   * Adds the value of the event as an attribute: a string as it is, anything else as the text of
   * its JSON. A string that looks like JSON is kept as well.
   */
  void putContent(Span span, String key) {
    String name = event.kind().contentName();
    if (value == null || name == null) {
      return;
    }
    if (!(value instanceof JsonString text)) {
      span.put(key, value.toString());
      if (value instanceof JsonObject || value instanceof JsonArray) {
        record.transform(key, name);
      } else {
        record.derive(key, name); // a reader of the text cannot tell 42 from "42"
      }
      return;
    }
    span.put(key, text.value());
    if (JsonText.beginsLikeContainer(text.value())) {
      record.derive(key, name);
    } else {
      record.move(key, name);
    }
  }

  /** States that the value is in the result: a string as it is, anything else as JSON text. */
  void moveText(String to) {
    String name = String.valueOf(event.kind().contentName());
    if (value instanceof JsonString) {
      record.move(to, name);
    } else {
      record.derive(to, name);
    }
  }

  /** The members that have no other place, without the kind, which their place states. */
  JsonObject keptIn(String place) {
    record.transform(place, tagName);
    record.written();
    return record.rest();
  }

  /** The members that have no other place, with the kind. */
  JsonObject kept() {
    record.written();
    return record.rest();
  }
}
