package dev.agentreplay.convert.trace.claude;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;

/**
 * The outputs of tools that were too large for the transcript. The model saw the beginning, which
 * the transcript has; the whole text is kept.
 */
final class ToolResultFiles {

  private ToolResultFiles() {}

  static void write(TraceSource source, TraceSession session) throws IOException {
    for (String name : source.names()) {
      if (name.startsWith(ClaudeReader.TOOL_RESULTS + "/")) {
        byte[] bytes;
        try (InputStream in = source.open(name)) {
          bytes = in.readAllBytes();
        }
        SourceRecord record = session.record(
            JsonObject.of("file", name, "text", new String(bytes, UTF_8)),
            "tool_result_file",
            SourcePlace.document(name),
            ContentHash.sha256(bytes));
        session.keep(record);
      }
    }
  }
}
