package dev.agentreplay.engine.diff;

import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A log that is put together event by event, with ids that no two logs have in common. */
final class TestLog {

  private static int logs;

  private final int log = logs++;
  private final List<ReplayEvent> events = new ArrayList<>();
  private int ids;

  /** A call with its result. */
  TestLog call(String tool, Object params, Object output) {
    String id = start(tool, params);
    return result(id, output);
  }

  /** A call whose result comes later, or not at all; returns its id. */
  String start(String tool, Object params) {
    String id = "log-" + log + "-" + ids++;
    events.add(ToolCall.of(id, tool, JsonValue.of(params)));
    return id;
  }

  TestLog result(String id, Object output) {
    return add(ToolResult.of(id, output).withLatencyMillis(1L));
  }

  TestLog add(ReplayEvent event) {
    events.add(event);
    return this;
  }

  /** So many calls that are equal in every log. */
  TestLog calls(String tool, int from, int to) {
    for (int i = from; i < to; i++) {
      call(tool, JsonObject.of("n", i), "out " + i);
    }
    return this;
  }

  Session write(Path file) throws IOException {
    Files.deleteIfExists(file);
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("test@" + log))) {
      for (ReplayEvent event : events) {
        writer.emit(event);
      }
    }
    return new Session(file, null);
  }
}
