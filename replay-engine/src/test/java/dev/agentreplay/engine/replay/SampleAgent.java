package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An agent with a conversation of several turns: each asks a model, which names a file, and reads
 * that file with a tool.
 */
final class SampleAgent implements ReplayAgent {

  /** The number of executions of tools and models. */
  final AtomicInteger executions = new AtomicInteger();

  final int turns;
  String model = "gpt-5";
  String tool = "read_file";
  String task = "Fix the login.";
  int skippedTurn = -1;
  int extraCalls;
  String volatileTurn = "";
  boolean swallows;
  boolean ends = true;

  SampleAgent(int turns) {
    this.turns = turns;
  }

  Executors executors() {
    return Executors.none()
        .withTool("read_file", ToolExecutor.of(params -> {
          executions.incrementAndGet();
          return "content of " + params.at("/path").asString();
        }))
        .withModel((call, pieces) -> {
          executions.incrementAndGet();
          return ModelResult.of(
              call.id(),
              "file-" + call.prompt().value().at("/messages").asArray().size());
        });
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    List<JsonValue> messages = new ArrayList<>();
    messages.add(JsonObject.of("role", "user", "content", task));
    for (int turn = 0; turn < turns; turn++) {
      if (turn == 2 && !volatileTurn.isEmpty()) {
        messages.add(JsonObject.of("role", "user", "content", volatileTurn));
      } else if (turn == 2) {
        messages.add(JsonObject.of("role", "user", "content", "It is 10:00."));
      }
      try {
        turn(scope, messages, turn);
      } catch (ReplayMissException | ExchangeRefusedException e) {
        if (!swallows) {
          throw e;
        }
      }
    }
    for (int i = 0; i < extraCalls; i++) {
      try {
        scope.call(tool, JsonObject.of("path", "extra-" + i));
      } catch (ReplayMissException e) {
        if (!swallows) {
          throw e;
        }
      }
    }
    if (ends) {
      scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(0.9));
    }
  }

  private void turn(AgentScope scope, List<JsonValue> messages, int turn) throws Exception {
    JsonObject prompt = JsonObject.of("messages", JsonArray.copyOf(messages));
    ModelResult answer = scope.ask(model, prompt);
    String file = answer.answer().value().asString();
    messages.add(JsonObject.of("role", "assistant", "content", file));
    if (turn != skippedTurn) {
      JsonValue content = scope.call(tool, JsonObject.of("path", file));
      messages.add(JsonObject.of("role", "tool", "content", content));
    }
  }

  /** Records a run of this agent. */
  Session record(Path directory) throws Exception {
    return record(directory, RecorderOptions.defaults());
  }

  Session record(Path directory, RecorderOptions options) throws Exception {
    SessionStart start = SessionStart.of("sample");
    try (SessionRecorder recorder = SessionRecorder.start(directory, start, options)) {
      run(AgentScope.recording(recorder, executors()));
    }
    return Session.open(directory);
  }

  static RecorderOptions withContext() {
    return RecorderOptions.defaults().withContext(ContextOptions.defaults().withRecords(true));
  }
}
