package dev.agentreplay.junit;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;

/** Sessions as tests need them. */
final class Recordings {

  private Recordings() {}

  /** The behavior of an agent. */
  interface Conduct {
    void run(SessionRecorder recorder) throws IOException;
  }

  /** A session that reads a file, fails to build, and writes a file. */
  static Session agent(Path directory) throws IOException {
    return record(directory, recorder -> {
      call(recorder, "tc_1", "read", JsonObject.of("path", "a.txt"), "fn login() {}\nfn out() {}");
      recorder
          .call(ToolCall.of("tc_2", "build", JsonObject.of("args", JsonObject.of("jobs", 2))))
          .result(JsonObject.of("log", "no rule"), Outcome.exit(2));
      call(recorder, "tc_3", "write", JsonObject.of("path", "a.txt", "text", "x"), true);
      recorder.end(Status.SUCCESS, 1.0);
    });
  }

  static Session record(Path directory, Conduct conduct) throws IOException {
    return record(directory, RecorderOptions.defaults(), conduct);
  }

  static Session record(Path directory, RecorderOptions options, Conduct conduct)
      throws IOException {
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      conduct.run(recorder);
    }
    return Session.open(directory);
  }

  static void call(
      SessionRecorder recorder, String id, String tool, JsonObject params, Object output)
      throws IOException {
    recorder.call(ToolCall.of(id, tool, params)).result(output);
  }
}
