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

  /** The parts of a line of text that quotes a message. */
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
    if (head.anyLine(line -> LogLine.of(line).isOfProtocol())
        || LogDocument.isLog(head.document())) {
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
    if (LogDocument.isLog(SourceHead.read(source.path()).document())) {
      for (SourceLines.Line line : LogDocument.lines(source.document())) {
        sessions.add(line);
      }
    } else {
      try (SourceLines lines = new SourceLines(source.open(), null)) {
        for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
          sessions.add(line);
        }
      }
    }
    sessions.complete();
  }

  /** The sessions of a log. */
  private static final class Sessions {
    private final TraceOutput output;
    private final Map<String, McpImport> byId = new HashMap<>();
    private final List<SourceLines.Line> head = new ArrayList<>();
    private @Nullable McpImport first;
    private boolean isText;

    Sessions(TraceOutput output) {
      this.output = output;
    }

    void add(SourceLines.Line line) throws IOException {
      if (first != null) {
        session(line, first).add(line, isText);
        return;
      }
      head.add(line);
      if (head.size() == HEAD_LINES) {
        begin();
      }
    }

    /** Begins the first session, and adds the first lines. */
    private void begin() throws IOException {
      MessageTimes times = new MessageTimes();
      String id = null;
      Timestamp time = null;
      for (SourceLines.Line line : head) {
        LogLine read = LogLine.of(line);
        isText |= line.json() == null && read != null && read.json().has(LogLine.BEFORE);
        id = id == null && line.json() != null ? id(line.json()) : id;
        time = time == null && read != null ? times.find(read.json()) : time;
      }
      first = new McpImport(output.begin(id, time));
      if (id != null) {
        byId.put(id, first);
      }
      for (SourceLines.Line line : head) {
        session(line, first).add(line, isText);
      }
    }

    void complete() throws IOException {
      if (first == null) {
        begin();
      }
    }

    private McpImport session(SourceLines.Line line, McpImport main) throws IOException {
      JsonObject json = line.json();
      String id = json == null ? null : id(json);
      McpImport session = id == null ? main : byId.get(id);
      if (session == null && byId.size() < MAX_SESSIONS) {
        session =
            new McpImport(output.begin(id, json == null ? null : new MessageTimes().find(json)));
        byId.put(id, session);
      }
      return session == null ? main : session;
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
