package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads logs of the messages between a client and a server of the Model Context Protocol. Lines
 * that name a session are of that session, the others of the first one.
 */
public final class McpReader implements TraceReader {

  /** The number of lines by which the first session and the kind of the log are found. */
  private static final int HEAD_LINES = 50;

  private static final int MAX_SESSIONS = 1_000;

  private static final List<String> SESSIONS =
      List.of("session_id", "sessionId", "session", "mcp_session_id", "run_id");

  /** What a line of text has that quotes a message. */
  private static final List<String> MARKS =
      List.of("Message from client: {", "Message from server: {");

  /** Creates a reader. */
  public McpReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.MCP;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    if (head.anyLine(line -> LogLine.of(line).isOfProtocol())) {
      return true;
    }
    String text = new String(head.bytes(), StandardCharsets.UTF_8);
    return text.contains("\"jsonrpc\"")
        && MARKS.stream().anyMatch(text::contains)
        && text.lines().anyMatch(line -> {
          LogLine message = LogLine.ofText(line);
          return message != null && message.isOfProtocol();
        });
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    Sessions sessions = new Sessions(output);
    List<SourceLines.Line> before = new ArrayList<>();
    try (SourceLines lines = new SourceLines(source.open(), null)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        if (before.size() < HEAD_LINES) {
          before.add(line);
          if (before.size() == HEAD_LINES) {
            sessions.begin(before);
          }
        } else {
          sessions.add(line);
        }
      }
    }
    if (before.size() < HEAD_LINES) {
      sessions.begin(before);
    }
  }

  /** The sessions of a log. */
  private static final class Sessions {
    private final TraceOutput output;
    private final Map<String, McpImport> byId = new HashMap<>();
    private @Nullable McpImport first;
    private boolean isText;

    Sessions(TraceOutput output) {
      this.output = output;
    }

    /** Begins the first session, and adds the first lines. */
    void begin(List<SourceLines.Line> lines) throws IOException {
      MessageTimes times = new MessageTimes();
      String id = null;
      Timestamp time = null;
      for (SourceLines.Line line : lines) {
        LogLine read = LogLine.of(line);
        isText |= line.json() == null && read != null && read.json().has(LogLine.BEFORE);
        id = id == null && line.json() != null ? id(line.json()) : id;
        time = time == null && read != null ? times.find(read.json()) : time;
      }
      first = new McpImport(output.begin(id, time));
      if (id != null) {
        byId.put(id, first);
      }
      for (SourceLines.Line line : lines) {
        add(line);
      }
    }

    void add(SourceLines.Line line) throws IOException {
      session(line).add(line, isText);
    }

    private McpImport session(SourceLines.Line line) throws IOException {
      String id = line.json() == null ? null : id(line.json());
      if (first == null) {
        throw new IllegalStateException("no session has begun");
      }
      McpImport session = id == null ? first : byId.get(id);
      if (session == null && id != null && byId.size() < MAX_SESSIONS) {
        session = new McpImport(output.begin(id, new MessageTimes().find(line.json())));
        byId.put(id, session);
      }
      return session == null ? first : session;
    }

    private static @Nullable String id(JsonObject line) {
      for (String name : SESSIONS) {
        String id = SourceHead.text(line, name);
        if (id != null && !id.isBlank()) {
          return id;
        }
      }
      return null;
    }
  }
}
