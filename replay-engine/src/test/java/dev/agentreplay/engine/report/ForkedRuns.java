package dev.agentreplay.engine.report;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.List;

/** Recordings of an agent that handles an invoice by its status, and forks of them. */
final class ForkedRuns {

  private static final Executors TOOLS = Executors.none()
      .withTool("get_invoice", ToolExecutor.of(params -> "invoice 7"))
      .withTool("get_status", ToolExecutor.of(params -> JsonObject.of("status", "open")))
      .withTool(
          "notify",
          ToolExecutor.of(params -> "wrote a letter: " + params.at("/text").asString()))
      .withTool("archive", ToolExecutor.of(params -> "archived"));

  private ForkedRuns() {}

  private static void run(AgentScope scope) throws Exception {
    scope.call("get_invoice", JsonObject.of("id", 7));
    JsonValue status = scope.call("get_status", JsonObject.of("id", 7));
    scope.call("notify", JsonObject.of("text", "it is " + status.at("/status").asString()));
    scope.call("archive", JsonObject.of("id", 7));
    scope.end(SessionEnd.of(Status.SUCCESS));
  }

  /** A session in which the invoice is open. */
  static Session record(Path directory) throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "invoice")) {
      run(AgentScope.recording(recorder, TOOLS));
    }
    return Session.open(directory);
  }

  /** A fork in which the invoice has a different status; the calls that follow from it execute. */
  static ReplayReport fork(Session recording, String status, Path directory) throws Exception {
    long line = ForkPoints.of(recording).possible().get(1).line();
    ReplayPolicy policy = ReplayPolicy.of(ReplayMode.MOCK);
    for (String tool : List.of("get_invoice", "get_status", "notify", "archive")) {
      policy = policy.withEffect(tool, Effect.PURE);
    }
    return Replay.of(recording)
        .policy(policy)
        .fork(Fork.at(line).set("/output/status", JsonString.of(status)))
        .executors(TOOLS)
        .directory(directory)
        .run(ForkedRuns::run);
  }
}
