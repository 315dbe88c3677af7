package dev.agentreplay.engine.accept;

import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A log of calls, with ids that start at a number. */
final class TestPair {

  private final List<ReplayEvent> events = new ArrayList<>();
  private int id;

  private TestPair(int firstId) {
    this.id = firstId;
    events.add(SessionStart.of("session-" + firstId));
  }

  static TestPair ids(int first) {
    return new TestPair(first);
  }

  TestPair call(String tool, Object params, Object output) {
    String call = "call-" + id++;
    events.add(ToolCall.of(call, tool, JsonValue.of(params)));
    events.add(ToolResult.of(call, output).withLatencyMillis((long) id));
    return this;
  }

  Session write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve(Session.LOG_NAME);
    Files.deleteIfExists(file);
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("test@1"))) {
      for (ReplayEvent event : events) {
        writer.emit(event);
      }
      writer.emit(SessionEnd.of(Status.SUCCESS).withConfidence(1.0));
    }
    return Session.open(directory);
  }
}
