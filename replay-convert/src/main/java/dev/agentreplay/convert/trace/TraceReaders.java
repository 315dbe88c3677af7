package dev.agentreplay.convert.trace;

import dev.agentreplay.convert.trace.adk.AdkReader;
import dev.agentreplay.convert.trace.atif.AtifReader;
import dev.agentreplay.convert.trace.claude.ClaudeReader;
import dev.agentreplay.convert.trace.codex.CodexReader;
import dev.agentreplay.convert.trace.gemini.GeminiReader;
import dev.agentreplay.convert.trace.inspect.InspectReader;
import dev.agentreplay.convert.trace.langfuse.LangfuseReader;
import dev.agentreplay.convert.trace.mcp.McpReader;
import dev.agentreplay.convert.trace.openhands.OpenHandsReader;
import dev.agentreplay.convert.trace.otel.SpanReader;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.convert.trace.swe.SweReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The readers of all formats, in the order in which they are asked. */
final class TraceReaders {

  private static final List<TraceReader> READERS = List.of(
      new AtifReader(),
      new GeminiReader(),
      new ClaudeReader(),
      new CodexReader(),
      new InspectReader(),
      new SweReader(),
      new OpenHandsReader(),
      new McpReader(),
      new LangfuseReader(),
      new SpanReader(TraceFormat.OPENINFERENCE),
      new SpanReader(TraceFormat.OTEL),
      new AdkReader());

  private TraceReaders() {}

  /**
   * Returns the reader that recognizes a file or directory; null if none does. Of special files,
   * such as pipes, nothing is read.
   */
  static @Nullable TraceReader find(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      for (TraceReader reader : READERS) {
        if (reader.recognizesDirectory(path)) {
          return reader;
        }
      }
      return null;
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      return null;
    }
    SourceHead head = SourceHead.read(path);
    if (head.isLog()) {
      return null;
    }
    for (TraceReader reader : READERS) {
      if (reader.recognizes(head)) {
        return reader;
      }
    }
    return null;
  }

  /** The formats that have a reader. */
  static List<TraceFormat> formats() {
    return READERS.stream().map(TraceReader::format).sorted().toList();
  }

  /** Returns the reader of a format; null if it cannot be imported. */
  static @Nullable TraceReader of(TraceFormat format) {
    for (TraceReader reader : READERS) {
      if (reader.format() == format) {
        return reader;
      }
    }
    return null;
  }
}
