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
 * large for it ({@code tool-results/}). Before version 2.1 the files of sub-agents were next to the
 * transcript.
 */
public final class ClaudeReader implements TraceReader {

  private static final String SUFFIX = ".jsonl";
  private static final String AGENT = "agent-";
  private static final String SUBAGENTS = "subagents";
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
  public boolean isPart(Path file) throws IOException {
    for (Path parent = file.getParent(); parent != null; parent = parent.getParent()) {
      Path directory = parent.getFileName();
      if (directory != null && directory.toString().equals(SUBAGENTS)) {
        Path session = parent.getParent();
        return session != null && isTranscript(session, String.valueOf(session.getFileName()));
      }
    }
    String session = isAgentFile(String.valueOf(file.getFileName())) ? sessionId(file) : null;
    return session != null && isTranscript(file, session);
  }

  /** Whether the transcript of a session is next to a path. */
  private static boolean isTranscript(Path path, String session) {
    return Files.isRegularFile(path.resolveSibling(session + SUFFIX));
  }

  /** The id of the session in the first line of a file; null if there is none. */
  private static @Nullable String sessionId(Path file) throws IOException {
    List<JsonObject> lines = SourceHead.read(file).lines();
    return lines.isEmpty() ? null : SourceHead.text(lines.get(0), "sessionId");
  }

  /** Whether a file has the name of one of a sub-agent. */
  static boolean isAgentFile(String file) {
    return file.substring(file.lastIndexOf('/') + 1).startsWith(AGENT) && file.endsWith(SUFFIX);
  }

  /** The name of the file of a sub-agent. */
  static String agentFile(String agent) {
    return AGENT + agent + SUFFIX;
  }

  /** The id of the sub-agent of a file. */
  static String agentOf(String file) {
    String name = file.substring(file.lastIndexOf('/') + 1);
    return name.substring(AGENT.length(), name.length() - SUFFIX.length());
  }

  @Override
  public void attach(TraceSource source) throws IOException {
    Path directory = directory(source.path());
    if (directory != null) {
      for (String part : List.of(SUBAGENTS, TOOL_RESULTS)) {
        for (Path file : files(directory.resolve(part))) {
          source.attach(file, directory.relativize(file).toString().replace('\\', '/'));
        }
      }
    }
    attachSiblings(source);
  }

  /** Attaches the files of sub-agents next to the transcript. */
  private static void attachSiblings(TraceSource source) throws IOException {
    Path transcript = source.path().toAbsolutePath();
    Path parent = transcript.getParent();
    if (parent == null || isAgentFile(String.valueOf(transcript.getFileName()))) {
      return;
    }
    List<Path> siblings;
    try (Stream<Path> entries = Files.list(parent)) {
      siblings = entries
          .filter(entry -> isAgentFile(String.valueOf(entry.getFileName())))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
    String session = siblings.isEmpty() ? null : sessionId(transcript);
    for (Path sibling : siblings) {
      if (session != null && session.equals(sessionId(sibling))) {
        source.attach(sibling, String.valueOf(sibling.getFileName()));
      }
    }
  }

  /** The directory with the other files of a transcript; null if there is none. */
  private static @Nullable Path directory(Path transcript) {
    String name = String.valueOf(transcript.getFileName());
    if (!name.endsWith(SUFFIX)) {
      return null;
    }
    Path directory = transcript.resolveSibling(name.substring(0, name.length() - SUFFIX.length()));
    return Files.isDirectory(directory) ? directory : null;
  }

  private static List<Path> files(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> found = Files.walk(directory)) {
      return found.filter(Files::isRegularFile).sorted().toList();
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
