package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log that is one JSON document: an array of what the lines of other logs hold. */
final class LogDocument {

  private static final List<String> NAMES =
      List.of("entries", "messages", "events", "frames", "traffic", "history", "log");

  private LogDocument() {}

  /** Whether a document has messages of the protocol. */
  static boolean isLog(@Nullable JsonValue document) {
    return lines(document).stream().anyMatch(line -> {
      LogLine read = line.json() == null ? null : LogLine.of(line.json());
      return read != null && read.isOfProtocol();
    });
  }

  /** The elements of a document, as lines, after what is next to them; empty if it has none. */
  static List<SourceLines.Line> lines(@Nullable JsonValue document) {
    if (document instanceof JsonArray array) {
      return lines(array, JsonPointer.ROOT);
    }
    if (document instanceof JsonObject object) {
      for (String name : NAMES) {
        if (object.get(name) instanceof JsonArray array) {
          List<SourceLines.Line> lines = new ArrayList<>();
          JsonObject others = object.without(name);
          if (!others.isEmpty()) {
            lines.add(line(others, JsonPointer.ROOT));
          }
          lines.addAll(lines(array, JsonPointer.ROOT.append(name)));
          return lines;
        }
      }
    }
    return List.of();
  }

  private static List<SourceLines.Line> lines(JsonArray array, JsonPointer pointer) {
    List<SourceLines.Line> lines = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      lines.add(line(array.get(i), pointer.append(i)));
    }
    return lines;
  }

  private static SourceLines.Line line(JsonValue value, JsonPointer pointer) {
    JsonObject json = value instanceof JsonObject object ? object : null;
    String text = value instanceof JsonString string ? string.value() : value.toString();
    return new SourceLines.Line(
        SourcePlace.DOCUMENT.child(pointer),
        CanonicalJson.SERDE.hash(value),
        json,
        json == null ? text : null,
        null);
  }
}
