package dev.agentreplay.convert.trace.span;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Sources that are JSON lines or one document, which only their beginning tells apart. */
public final class SpanLines {

  private SpanLines() {}

  /**
   * Whether a source has several JSON lines.
   *
   * @param isRecord whether an object is a record that can be on a line
   */
  public static boolean hasLines(TraceSource source, Predicate<JsonObject> isRecord)
      throws IOException {
    SourceHead head = source.head();
    int last = 0; // the last byte before the end of the first line, without white space
    for (byte b : head.bytes()) {
      if (b == '[' && last == 0) {
        return false;
      } else if (b == '\n' && last != 0) {
        // the first line of a document of several lines ends within a value
        return "{[,".indexOf(last) < 0 && head.anyLine(isRecord);
      }
      last = b < 0 || b > ' ' ? b & 0xff : last;
    }
    return last != 0 && hasSecondLine(source);
  }

  /** Whether a source whose first line is long has a second one. */
  private static boolean hasSecondLine(TraceSource source) throws IOException {
    try (InputStream in = new BufferedInputStream(source.open())) {
      boolean isSecond = false;
      for (int b = in.read(); b >= 0; b = in.read()) {
        if (isSecond && b > ' ') {
          return true;
        }
        isSecond |= b == '\n';
      }
      return false;
    }
  }

  /** Reads the lines. Broken ones are added as they are. */
  public static void read(
      TraceSource source, SpanSessions sessions, BiConsumer<JsonValue, SourcePlace> records)
      throws IOException {
    try (SourceLines lines = new SourceLines(source.open(), null)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        if (line.place().offset() > TraceSource.MAX_DOCUMENT_BYTES) {
          throw new IOException("%s: longer than %,d bytes, the limit of spans in one source"
              .formatted(source.names().get(0), TraceSource.MAX_DOCUMENT_BYTES));
        }
        if (line.json() != null) {
          records.accept(line.json(), line.place());
        }
        if (line.fault() != null || line.json() == null) {
          sessions.add(line);
        }
      }
    }
  }
}
