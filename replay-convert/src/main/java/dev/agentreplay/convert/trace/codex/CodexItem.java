package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record, with the object in it that says what happened: its {@code payload} or {@code item}, or,
 * without an envelope, the record itself. Paths begin in that object.
 */
final class CodexItem {

  private static final String TIME = "timestamp";

  private final SourceRecord record;

  /** The name of the member with the object; null if it is the record itself. */
  private final @Nullable String envelope;

  private @Nullable Meta meta;

  /**
   * Creates an item.
   *
   * @param envelope the name of the member with the object; null if it is the record itself
   */
  CodexItem(SourceRecord record, @Nullable String envelope) {
    this.record = record;
    this.envelope = envelope;
  }

  SourceRecord record() {
    return record;
  }

  /** The object that says what happened. */
  JsonObject value() {
    return envelope == null ? record.json() : record.object(envelope);
  }

  /** The type of the object; a message may state its role only. */
  String type() {
    String type = text("type");
    return type != null ? type : has("role") ? "message" : "item";
  }

  boolean has(String name) {
    return value().has(name);
  }

  @Nullable
  JsonValue get(String... path) {
    return record.get(path(path));
  }

  @Nullable
  String text(String... path) {
    return record.text(path(path));
  }

  @Nullable
  Long integer(String... path) {
    return record.integer(path(path));
  }

  JsonObject object(String... path) {
    return record.object(path(path));
  }

  @Nullable
  JsonValue move(String to, String... path) {
    return record.move(to, path(path));
  }

  void derive(String to, String... path) {
    record.derive(to, path(path));
  }

  void drop(String reason, String... path) {
    record.drop(reason, path(path));
  }

  /** States that the whole object is now at a place of the result. */
  void moveAll(String to) {
    if (envelope != null) {
      record.move(to, envelope);
      return;
    }
    for (String name : record.json().names()) {
      record.move(to, name);
    }
  }

  /** States that something was computed from each of some members. */
  void deriveEach(String to, List<String> names) {
    for (String name : names) {
      derive(to, name);
    }
  }

  /** The path in the record to a member of the object. */
  String[] path(String... path) {
    return envelope == null
        ? path
        : Stream.concat(Stream.of(envelope), Stream.of(path)).toArray(String[]::new);
  }

  /** The time of the record, which is not kept a second time. */
  Meta meta() {
    if (meta == null) {
      String text = record.text(TIME);
      Timestamp time = text == null ? null : Timestamp.tryParse(text);
      if (time != null && time.text().equals(text)) {
        record.move("t", TIME);
      }
      meta = Meta.NONE.withTime(time);
    }
    return meta;
  }

  /** The texts of a message or of reasoning: of its parts, or its content itself. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (String name : List.of("content", "summary")) {
      JsonValue content = get(name);
      if (content instanceof JsonString text) {
        texts.add(text.value());
      } else if (content instanceof JsonArray parts) {
        for (JsonValue part : parts) {
          if (part instanceof JsonObject object && object.get("text") instanceof JsonString text) {
            texts.add(text.value());
          }
        }
      }
    }
    if (texts.size() > 1) {
      texts.add(String.join("\n", texts));
    }
    return texts;
  }

  /** The texts of a message as one. */
  String joined() {
    List<String> texts = texts();
    return texts.isEmpty() ? "" : texts.get(texts.size() - 1);
  }
}
