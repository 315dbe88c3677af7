package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads rollouts of Codex, of all versions, and the streams of {@code codex exec --json}. A rollout
 * is one session: the thread of a sub-agent has a rollout of its own.
 */
public final class CodexReader implements TraceReader {

  /** The number of lines among which the id of the session is looked for. */
  private static final int HEAD_LINES = 100;

  private static final Set<String> ENVELOPES =
      Set.of("session_meta", "response_item", "event_msg", "turn_context", "compacted");

  private static final Set<String> PARTS = Set.of("input_text", "output_text");

  /** Creates a reader. */
  public CodexReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.CODEX;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    return head.anyLine(CodexReader::isRecord);
  }

  private static boolean isRecord(JsonObject line) {
    String type = SourceHead.text(line, "type");
    if (type == null) {
      return isHeader(line) || "state".equals(SourceHead.text(line, "record_type"));
    }
    return (ENVELOPES.contains(type) && line.get("payload") instanceof JsonObject)
        || isOfStream(line)
        || isBareItem(line, type);
  }

  /** Whether a line is one of a stream of {@code codex exec --json}. */
  private static boolean isOfStream(JsonObject line) {
    String type = String.valueOf(SourceHead.text(line, "type"));
    return switch (type) {
      case "thread.started" -> line.has("thread_id");
      case "item.started", "item.updated", "item.completed" ->
        line.get("item") instanceof JsonObject item && item.has("type");
      case "turn.started" -> line.size() == 1;
      case "turn.completed" -> line.get("usage") instanceof JsonObject;
      default -> false;
    };
  }

  /** Whether a line is the first one of a rollout without envelopes. */
  private static boolean isHeader(JsonObject line) {
    return SourceHead.text(line, "id") != null
        && SourceHead.text(line, "timestamp") != null
        && line.has("instructions");
  }

  /** Whether a line is an item of the Responses API, as the first rollouts have it. */
  private static boolean isBareItem(JsonObject line, String type) {
    if (type.equals("message")) {
      return SourceHead.text(line, "role") != null
          && line.get("content") instanceof JsonArray parts
          && parts.size() > 0
          && parts.get(0) instanceof JsonObject part
          && PARTS.contains(String.valueOf(SourceHead.text(part, "type")));
    }
    return (type.equals("function_call") || type.equals("function_call_output"))
        && SourceHead.text(line, "call_id") != null;
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    CodexImport reading = null;
    String last = null;
    List<SourceLines.Line> before = new ArrayList<>();
    try (SourceLines lines = new SourceLines(source.open(), null)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        String id = line.json() == null ? null : sessionId(line.json());
        if (reading != null && isNext(line.json(), id, last)) {
          reading.complete();
          reading = null;
        }
        if (reading != null) {
          reading.add(line);
          continue;
        }
        before.add(line);
        if (id != null || before.size() == HEAD_LINES) {
          reading = begin(id, before, output);
          before.clear();
          last = id;
        }
      }
    }
    if (reading == null) {
      reading = begin(null, before, output);
    }
    reading.complete();
  }

  /** Whether a stream of another thread begins. A rollout may hold the head of a second one. */
  private static boolean isNext(
      @Nullable JsonObject line, @Nullable String id, @Nullable String last) {
    return line != null && id != null && isOfStream(line) && !id.equals(last);
  }

  private static CodexImport begin(
      @Nullable String id, List<SourceLines.Line> before, TraceOutput output) throws IOException {
    CodexImport reading = new CodexImport(output.begin(id, firstTime(before)));
    for (SourceLines.Line line : before) {
      reading.add(line);
    }
    return reading;
  }

  /** The id of the session, if a line states it; null otherwise. */
  private static @Nullable String sessionId(JsonObject line) {
    if (isHeader(line)) {
      return SourceHead.text(line, "id");
    }
    String type = SourceHead.text(line, "type");
    if ("session_meta".equals(type) && line.get("payload") instanceof JsonObject meta) {
      String id = SourceHead.text(meta, "id");
      return id == null ? SourceHead.text(meta, "session_id") : id;
    }
    return "thread.started".equals(type) ? SourceHead.text(line, "thread_id") : null;
  }

  private static @Nullable Timestamp firstTime(List<SourceLines.Line> lines) {
    for (SourceLines.Line line : lines) {
      String text = line.json() == null ? null : SourceHead.text(line.json(), "timestamp");
      Timestamp time = text == null ? null : Timestamp.tryParse(text);
      if (time != null) {
        return time;
      }
    }
    return null;
  }
}
