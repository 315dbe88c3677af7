package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The record of the trace of a different tool from which an event was made. An event states it in
 * the additional member {@value Names#IMPORTED}, which comparisons ignore, and in which what has no
 * place in the event is kept.
 *
 * @param record the type of the record, in the words of its format
 * @param hash the hash of the record in the trace
 * @param file the name of the file; null for the only or first file
 * @param line the line of the file; null if it is a document
 * @param pointer the JSON Pointer to the record in the line or document; null for the whole of it
 */
public record ImportedRecord(
    String record,
    ContentHash hash,
    @Nullable String file,
    @Nullable Long line,
    @Nullable String pointer) {

  /** Checks for null. */
  public ImportedRecord {
    Objects.requireNonNull(record, "record");
    Objects.requireNonNull(hash, "hash");
  }

  /**
   * Returns the record that an event states; null if it states none, or the member
   * {@value Names#IMPORTED} has a different form, as other producers may write it.
   */
  public static @Nullable ImportedRecord of(ReplayEvent event) {
    if (!(event.meta().extra().get(Names.IMPORTED) instanceof JsonObject json)
        || !(json.get("record") instanceof JsonString record)
        || !(json.get("hash") instanceof JsonString text)) {
      return null;
    }
    ContentHash hash = ContentHash.tryParse(text.value());
    return hash == null
        ? null
        : new ImportedRecord(
            record.value(),
            hash,
            text(json.get("file")),
            line(json.get("line")),
            text(json.get("at")));
  }

  private static @Nullable String text(@Nullable JsonValue value) {
    return value instanceof JsonString text ? text.value() : null;
  }

  private static @Nullable Long line(@Nullable JsonValue value) {
    try {
      return value instanceof JsonNumber number && number.asLong() >= 1 ? number.asLong() : null;
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
  }

  /** The place of the record in words, such as "a.jsonl, line 4, /message". */
  public String place() {
    StringBuilder text = new StringBuilder(file == null ? "" : file);
    if (line != null) {
      text.append(text.isEmpty() ? "" : ", ").append("line ").append(line);
    }
    if (pointer != null) {
      text.append(text.isEmpty() ? "" : ", ").append(pointer);
    }
    return text.isEmpty() ? "the document" : text.toString();
  }
}
