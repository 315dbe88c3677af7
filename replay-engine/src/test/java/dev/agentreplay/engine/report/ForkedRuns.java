package dev.agentreplay.engine.report;

import dev.agentreplay.engine.attribution.Attribution;
import dev.agentreplay.engine.attribution.AttributionReport;
import dev.agentreplay.engine.attribution.Trial;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
    return record(directory, "invoice");
  }

  static Session record(Path directory, String id) throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, id)) {
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

  /** The trials that attribute the different end of two recordings, and the first of these. */
  static List<Session> trials(Path directory) throws Exception {
    Session first = statusOf(directory.resolve("first"), "open");
    Session second = statusOf(directory.resolve("second"), "late");
    AttributionReport report = Attribution.between(first, second)
        .directory(directory.resolve("trials"))
        .run(AGENT);
    List<Session> sessions = new ArrayList<>(List.of(first));
    for (Trial trial : report.trials()) {
      sessions.add(Session.open(Objects.requireNonNull(trial.directory())));
    }
    return sessions;
  }

  private static final ReplayAgent AGENT = scope -> {
    String id = scope.call("get_id", JsonObject.EMPTY).asString();
    String status = scope.call("get_status", JsonObject.EMPTY).asString();
    scope.call("notify", JsonObject.of("text", status));
    boolean isLate = status.equals("late");
    scope.end(SessionEnd.of(isLate && !id.isEmpty() ? Status.FAILED : Status.SUCCESS));
  };

  private static Session statusOf(Path directory, String status) throws Exception {
    Executors tools = Executors.none()
        .withTool("get_id", ToolExecutor.of(params -> "id of " + status))
        .withTool("get_status", ToolExecutor.of(params -> status))
        .withTool("notify", ToolExecutor.of(params -> "done"));
    try (SessionRecorder recorder = SessionRecorder.start(directory, status)) {
      AGENT.run(AgentScope.recording(recorder, tools));
    }
    return Session.open(directory);
  }
}
