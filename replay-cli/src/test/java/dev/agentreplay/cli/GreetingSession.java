package dev.agentreplay.cli;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A session of an agent that corrects a greeting, and the programs that replay it. */
final class GreetingSession {

  private GreetingSession() {}

  /** Records the session. */
  static Path record(Path home, String name, String answer) throws Exception {
    Path directory = home.resolve(name);
    try (SessionRecorder recorder = SessionRecorder.start(directory, "fix-greeting")) {
      AgentScope scope = AgentScope.recording(
          recorder,
          Executors.none().withModel((call, pieces) -> ModelResult.of(call.id(), answer)));
      scope.run("read_file", Map.of("path", "a.txt"), () -> "Helo");
      scope.ask("my-model", "Fix: Helo");
      scope.run("write_file", Map.of("text", answer), () -> "done");
      scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(0.9));
    }
    return directory;
  }

  /** A program that is the recorded agent, in the language of a shell. */
  static Path agent(Path home, String path) throws IOException {
    List<String> messages = List.of(
        "{\"id\":0,\"type\":\"hello\",\"protocol\":1}",
        "{\"id\":1,\"type\":\"tool\",\"name\":\"read_file\",\"params\":{\"path\":\"%s\"}}"
            .formatted(path),
        "{\"id\":2,\"type\":\"model\",\"model\":\"my-model\",\"prompt\":\"Fix: Helo\"}",
        "{\"id\":3,\"type\":\"tool\",\"name\":\"write_file\",\"params\":{\"text\":\"Hello\"}}",
        "{\"id\":4,\"type\":\"end\",\"status\":\"Success\",\"confidence\":0.9}");
    StringBuilder script = new StringBuilder("#!/bin/sh\n");
    for (String message : messages) {
      script.append("echo '").append(message).append("'\nread answer || exit 1\n");
      script.append("case $answer in *'\"type\":\"result\"'*) ;; *) exit 1 ;; esac\n");
    }
    return Files.writeString(home.resolve("agent.sh"), script);
  }

  /** A file for {@code --tools}; the tool that reads is a script of a shell. */
  static Path tools(Path home, String readFile) throws IOException {
    JsonObject tools = JsonObject.of(
        "read_file",
        JsonObject.of("command", List.of("sh", "-c", readFile), "effect", "pure"),
        "write_file",
        JsonObject.of("command", List.of("echo", "\"done\""), "effect", "writes_workspace"));
    return Files.writeString(
        home.resolve("tools.json"), JsonObject.of("tools", tools).toString());
  }
}
