package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ForeignFormat;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a file, by which its format is recognized. A document is closed after the last
 * complete value in the first bytes. Immutable.
 *
 * @param bytes the first bytes, after decompression
 * @param document the first object or array, which may have several lines; null if there is none
 * @param lines the first lines that hold an object each, without those that hold none; if there is
 *     no line feed, the object at the start of the only line, which may be longer than the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // the array is not changed
public record SourceHead(byte[] bytes, @Nullable JsonValue document, List<JsonObject> lines) {

  private static final int MAX_LINES = 50;

  /** Reads the beginning of a file. */
  public static SourceHead read(Path file) throws IOException {
    try (InputStream in = TraceSource.peek(file)) {
      return of(in.readNBytes(ForeignFormat.HEAD_BYTES));
    }
  }

  /** Reads the beginning of an attached file. */
  public static SourceHead of(TraceSource source, String name) throws IOException {
    try (InputStream in = source.open(name)) {
      return of(in.readNBytes(ForeignFormat.HEAD_BYTES));
    }
  }

  static SourceHead of(byte[] bytes) {
    JsonValue document = document(bytes);
    List<JsonObject> lines = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < bytes.length && lines.size() < MAX_LINES; i++) {
      if (bytes[i] == '\n') {
        JsonObject object = object(bytes, from, i);
        if (object != null) {
          lines.add(object);
        }
        from = i + 1;
      }
    }
    if (lines.isEmpty() && document instanceof JsonObject object && from == 0) {
      lines.add(object); // one line that is not complete
    }
    return new SourceHead(bytes, document, List.copyOf(lines));
  }

  private static @Nullable JsonValue document(byte[] bytes) {
    JsonValue document = ForeignFormat.beginning(bytes, 0, bytes.length);
    byte[] repaired = document == null ? Documents.repair(bytes, 0, bytes.length) : null;
    return repaired == null ? document : ForeignFormat.beginning(repaired, 0, repaired.length);
  }

  private static @Nullable JsonObject object(byte[] bytes, int from, int to) {
    JsonValue value = parse(bytes, from, to);
    byte[] repaired = value == null ? Documents.repair(bytes, from, to) : null;
    return (repaired == null ? value : parse(repaired, 0, repaired.length))
            instanceof JsonObject object
        ? object
        : null;
  }

  private static @Nullable JsonValue parse(byte[] bytes, int from, int to) {
    try {
      return JsonText.parse(bytes, from, to);
    } catch (JsonSyntaxException notJson) {
      return null;
    }
  }

  /** The document if it is an object, otherwise an empty object. */
  public JsonObject object() {
    return document instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  /** The first element of the document if it is an array of objects, otherwise an empty object. */
  public JsonObject firstElement() {
    return document instanceof JsonArray array
            && array.size() > 0
            && array.get(0) instanceof JsonObject object
        ? object
        : JsonObject.EMPTY;
  }

  /** Whether one of the first lines fits a condition. */
  public boolean anyLine(Predicate<JsonObject> condition) {
    return lines.stream().anyMatch(condition);
  }

  /** Whether the file begins with an event of a log of sessions, in any dialect. */
  public boolean isLog() {
    return !lines.isEmpty() && (isTag(lines.get(0), "event") || isTag(lines.get(0), "type"));
  }

  private static boolean isTag(JsonObject line, String name) {
    String tag = text(line, name);
    return tag != null && EventKind.ofTag(tag) != EventKind.UNKNOWN;
  }

  /** Whether the file begins with these bytes, each given as the character with its value. */
  public boolean startsWith(String signature) {
    byte[] expected = signature.getBytes(StandardCharsets.ISO_8859_1);
    return bytes.length >= expected.length
        && Arrays.equals(bytes, 0, expected.length, expected, 0, expected.length);
  }

  /** Returns the text of a member; null if it is missing or not a string. */
  public static @Nullable String text(JsonObject object, String name) {
    return object.get(name) instanceof JsonString text ? text.value() : null;
  }
}
