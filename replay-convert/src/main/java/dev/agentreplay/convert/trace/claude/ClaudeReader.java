package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads transcripts of Claude Code. The directory with the name of the transcript holds the files
 * of its sub-agents ({@code subagents/agent-<id>.jsonl}) and the outputs of tools that were too
 * large for it ({@code tool-results/}). Before version 2.1 the files of sub-agents were next to the
 * transcript.
 */
public final class ClaudeReader implements TraceReader {

  /** The maximum number of lines before the first one that names the session. */
  private static final int MAX_HEAD_LINES = 1_000;

  /** The maximum length of these lines in bytes, without the last one. */
  private static final long MAX_HEAD_BYTES = 4L << 20;

  private static final Set<String> TYPES = Set.of(
      "user",
      "assistant",
      "system",
      "summary",
      "progress",
      "attachment",
      "file-history-snapshot",
      "queue-operation",
      "permission-mode",
      "last-prompt",
      "custom-title",
      "ai-title");

  private final ProjectFiles files = new ProjectFiles();

  /** Creates a reader. */
  public ClaudeReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.CLAUDE_CODE;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    return head.anyLine(ClaudeReader::isRecord);
  }

  private static boolean isRecord(JsonObject line) {
    String type = SourceHead.text(line, "type");
    if (type == null || !TYPES.contains(type)) {
      return false;
    }
    boolean isMessage = (type.equals("user") || type.equals("assistant"))
        && line.get("message") instanceof JsonObject message
        && message.has("content");
    boolean isNamed = SourceHead.text(line, "sessionId") != null
        || SourceHead.text(line, "leafUuid") != null
        || SourceHead.text(line, "messageId") != null
        || (SourceHead.text(line, "uuid") != null && line.has("parentUuid"));
    return isMessage || isNamed;
  }

  @Override
  public boolean isPart(Path file) throws IOException {
    return files.isPart(file);
  }

  @Override
  public void attach(TraceSource source) throws IOException {
    files.attach(source);
  }

  /**
   * The id of the session that a record names: {@code sessionId} in a transcript,
   * {@code session_id} in the output of {@code claude -p --output-format stream-json}.
   */
  static @Nullable String session(JsonObject line) {
    String session = SourceHead.text(line, "sessionId");
    return session == null ? SourceHead.text(line, "session_id") : session;
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    ClaudeImport reading = null;
    List<SourceLines.Line> head = new ArrayList<>();
    try (SourceLines lines = new SourceLines(source.open(), null)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        if (reading != null) {
          reading.add(line);
          continue;
        }
        head.add(line);
        String session = line.json() == null ? null : session(line.json());
        if (session != null
            || head.size() >= MAX_HEAD_LINES
            || line.place().offset() >= MAX_HEAD_BYTES) {
          reading = begin(source, output, session, head);
        } // such as the summaries of other sessions otherwise
      }
    }
    if (reading == null) {
      reading = begin(source, output, null, head);
    }
    reading.complete();
  }

  private static ClaudeImport begin(
      TraceSource source, TraceOutput output, @Nullable String session, List<SourceLines.Line> head)
      throws IOException {
    ClaudeImport reading = new ClaudeImport(source, output.begin(session, firstTime(head)));
    for (SourceLines.Line line : head) {
      reading.add(line);
    }
    head.clear();
    return reading;
  }

  private static @Nullable Timestamp firstTime(List<SourceLines.Line> lines) {
    for (SourceLines.Line line : lines) {
      JsonObject json = line.json();
      String text = json == null ? null : SourceHead.text(json, "timestamp");
      Timestamp time = text == null ? null : Timestamp.tryParse(text);
      if (time != null) {
        return time;
      }
    }
    return null;
  }
}
