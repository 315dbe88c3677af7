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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads transcripts of Claude Code. The directory with the name of the transcript holds the files
 * of its sub-agents ({@code subagents/agent-<id>.jsonl}) and the outputs of tools that were too
 * large for it ({@code tool-results/}).
 */
public final class ClaudeReader implements TraceReader {

  static final String SUBAGENTS = "subagents";
  static final String TOOL_RESULTS = "tool-results";

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
  public boolean isPart(Path file) {
    for (Path parent = file.getParent(); parent != null; parent = parent.getParent()) {
      Path directory = parent.getFileName();
      if (directory != null && directory.toString().equals(SUBAGENTS)) {
        Path session = parent.getParent();
        return session != null
            && Files.isRegularFile(session.resolveSibling(session.getFileName() + ".jsonl"));
      }
    }
    return false;
  }

  @Override
  public void attach(TraceSource source) throws IOException {
    Path directory = directory(source.path());
    if (directory == null) {
      return;
    }
    for (String part : List.of(SUBAGENTS, TOOL_RESULTS)) {
      for (Path file : files(directory.resolve(part))) {
        source.attach(file, directory.relativize(file).toString().replace('\\', '/'));
      }
    }
  }

  /** The directory with the other files of a transcript; null if there is none. */
  private static @Nullable Path directory(Path transcript) {
    String name = String.valueOf(transcript.getFileName());
    if (!name.endsWith(".jsonl")) {
      return null;
    }
    Path directory =
        transcript.resolveSibling(name.substring(0, name.length() - ".jsonl".length()));
    return Files.isDirectory(directory) ? directory : null;
  }

  private static List<Path> files(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> found = Files.walk(directory)) {
      return new ArrayList<>(
          found.filter(file -> Files.isRegularFile(file)).sorted().toList());
    }
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    ClaudeImport reading = null;
    List<SourceLines.Line> before = new ArrayList<>();
    try (SourceLines lines = new SourceLines(source.open(), null)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        if (reading == null) {
          before.add(line);
          JsonObject json = line.json();
          if (json == null || SourceHead.text(json, "sessionId") == null) {
            continue; // such as the summaries of other sessions
          }
          reading = new ClaudeImport(
              source, output.begin(SourceHead.text(json, "sessionId"), firstTime(before)));
          for (SourceLines.Line early : before) {
            reading.add(early);
          }
          before.clear();
        } else {
          reading.add(line);
        }
      }
    }
    if (reading == null) {
      reading = new ClaudeImport(source, output.begin(null, firstTime(before)));
      for (SourceLines.Line early : before) {
        reading.add(early);
      }
    }
    reading.complete();
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
