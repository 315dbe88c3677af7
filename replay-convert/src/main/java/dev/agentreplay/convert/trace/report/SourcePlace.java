package dev.agentreplay.convert.trace.report;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.text.PlainText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place of a record in the source of an import: a line of a file, or a value of a document.
 *
 * @param file the name of the file, relative to the source; null for its only or first file
 * @param line the number of the line, from 1; 0 if the source is a document
 * @param offset the offset of its first byte in the file, after decompression; 0 in a document
 * @param pointer the JSON Pointer to the value; null for the value of the whole line, or the whole
 *     document
 */
public record SourcePlace(@Nullable String file, long line, long offset, @Nullable String pointer) {

  /** The whole document. */
  public static final SourcePlace DOCUMENT = new SourcePlace(null, 0, 0, null);

  /** Creates the place of a line. */
  public static SourcePlace line(@Nullable String file, long line, long offset) {
    return new SourcePlace(file, line, offset, null);
  }

  /** Returns the place of a value in the value at this place. */
  public SourcePlace child(JsonPointer path) {
    return new SourcePlace(file, line, offset, Objects.requireNonNullElse(pointer, "") + path);
  }

  /** The place of a document in a file of the source. */
  public static SourcePlace document(@Nullable String file) {
    return file == null ? DOCUMENT : new SourcePlace(file, 0, 0, null);
  }

  /** The place as members of an object: {@code file}, {@code line}, {@code at}. */
  public JsonObject.Builder toJson() {
    JsonObject.Builder json = JsonObject.builder();
    if (pointer != null) {
      json.put("at", pointer);
    }
    if (file != null) {
      json.put("file", file);
    }
    if (line > 0) {
      json.put("line", line);
    }
    return json;
  }

  /** The place in words, on one line: control and invisible characters are replaced. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (file != null) {
      text.append(file);
    }
    if (line > 0) {
      text.append(text.isEmpty() ? "" : ", ").append("line ").append(line);
    }
    if (pointer != null) {
      text.append(text.isEmpty() ? "" : ", ").append(pointer);
    }
    return text.isEmpty() ? "the document" : PlainText.of(text.toString());
  }
}
