package dev.agentreplay.benchmarks;

import dev.agentreplay.benchmarks.ReadLog.Call;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Writes a folder of {@value #SESSIONS} recorded sessions and {@value #FORKS} forks of others of
 * them, with {@value #CALLS} tool calls each, for measurements of {@code replay list}.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.ForkedFolder DIRECTORY
 * </pre>
 */
public final class ForkedFolder {

  private static final int SESSIONS = 9_000;
  private static final int FORKS = 1_000;
  private static final int CALLS = 5;

  private static final Logger LOG = Logger.getLogger("dev.agentreplay.engine.replay");

  private ForkedFolder() {}

  /** Writes the sessions into a new directory. */
  public static void main(String[] args) throws Exception {
    LOG.setLevel(Level.WARNING);
    Path directory = Files.createDirectory(Path.of(args[0]));
    List<Call> calls = ReadLog.calls(CALLS);
    for (int i = 0; i < SESSIONS; i++) {
      Session session = record(directory.resolve("session-" + i), "task " + i, calls);
      if (i < FORKS) {
        fork(session, calls, directory.resolve("fork-" + i));
      }
    }
  }

  private static Session record(Path directory, String task, List<Call> calls) throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, task)) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      for (Call call : calls) {
        scope.run(call.tool(), call.params(), call::output);
      }
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    return Session.open(directory);
  }

  private static void fork(Session session, List<Call> calls, Path out) throws Exception {
    long line = ForkPoints.of(session).all().get(CALLS / 2).line();
    ReplayAgent agent = scope -> {
      for (Call call : calls) {
        scope.call(call.tool(), call.params());
      }
      scope.end(SessionEnd.of(Status.SUCCESS));
    };
    Replay.of(session).mode(ReplayMode.MOCK).fork(Fork.at(line)).directory(out).run(agent);
  }
}
