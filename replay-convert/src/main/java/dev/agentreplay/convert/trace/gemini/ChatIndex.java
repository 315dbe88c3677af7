package dev.agentreplay.convert.trace.gemini;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceTimes;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a first reading of a chat in JSON lines: its id and its time, and of each message
 * the line with its last version, which is the one that counts.
 */
final class ChatIndex {

  private final Map<String, Long> last = new HashMap<>();
  private @Nullable String sessionId;
  private @Nullable Timestamp time;

  /** Reads the lines of an attached file. */
  static ChatIndex of(TraceSource source, String file) throws IOException {
    ChatIndex index = new ChatIndex();
    try (SourceLines lines = new SourceLines(source.open(file), file)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        JsonObject json = line.json();
        if (json != null) {
          index.add(json, line.place().offset());
        }
      }
    }
    return index;
  }

  private void add(JsonObject json, long offset) {
    String id = SourceHead.text(json, "id");
    if (id != null) {
      last.put(id, offset);
    } else if (sessionId == null && GeminiReader.isMetadata(json)) {
      sessionId = SourceHead.text(json, GeminiReader.SESSION_ID);
    }
    if (time == null) {
      time = time(json);
    }
  }

  /** The time that metadata or a message states; null if there is none. */
  static @Nullable Timestamp time(JsonObject json) {
    Timestamp start = SourceTimes.parse(SourceHead.text(json, "startTime"));
    return start == null ? SourceTimes.parse(SourceHead.text(json, "timestamp")) : start;
  }

  /** The id of the session; null if no line states it. */
  @Nullable
  String sessionId() {
    return sessionId;
  }

  /** The first time of the chat; null if there is none. */
  @Nullable
  Timestamp time() {
    return time;
  }

  /** Whether the line at an offset has the last version of its message. */
  boolean isLast(JsonObject message, long offset) {
    String id = SourceHead.text(message, "id");
    Long line = id == null ? null : last.get(id);
    return line == null || line == offset;
  }
}
