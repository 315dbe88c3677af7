package dev.agentreplay.benchmarks;

import dev.agentreplay.benchmarks.ReadLog.Call;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.verify.Expectation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Measures a fork without a change in the middle of a session, relative to the replay of the
 * session; and the proof that it is a fork, relative to its verification alone. The rounds are
 * interleaved, so that other load of the machine affects them equally.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.ForkCost
 * </pre>
 */
public final class ForkCost {

  private static final int CALLS = 10_000;
  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 11;

  private static final Logger LOG = Logger.getLogger("dev.agentreplay.engine.replay");

  private ForkCost() {}

  /** Work that takes part in each round. */
  private enum Work {
    REPLAY("replay, served"),
    FORK("fork in the middle"),
    POINTS("list the points"),
    VERIFY("verify the fork"),
    PROVE("verify with its parent");

    final String title;
    final long[] rounds = new long[ROUNDS];

    Work(String title) {
      this.title = title;
    }

    void print(Work unit) {
      System.out.printf(
          "%-24s %8.1f ms %6.2f x %s%n",
          title,
          Rounds.median(rounds) / 1e6,
          (double) Rounds.median(rounds) / Rounds.median(unit.rounds),
          unit.title);
    }
  }

  /** Measures and prints medians. */
  public static void main(String[] args) throws Exception {
    LOG.setLevel(Level.WARNING);
    Path directory = Files.createTempDirectory("replay-fork");
    try {
      List<Call> calls = ReadLog.calls(CALLS);
      Session session = record(directory.resolve("session"), calls);
      long middle = ForkPoints.of(session).all().get(CALLS / 2).line();
      Path kept = directory.resolve("kept");
      fork(session, calls, middle, kept);
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        for (Work work : Work.values()) {
          long start = System.nanoTime();
          run(work, session, calls, middle, kept);
          work.rounds[Math.max(round, 0)] = System.nanoTime() - start;
        }
      }
      System.out.printf("%,d calls, a log of %,d bytes%n", CALLS, Files.size(session.log()));
      for (Work work : Work.values()) {
        work.print(work.ordinal() < Work.VERIFY.ordinal() ? Work.REPLAY : Work.VERIFY);
      }
    } finally {
      Rounds.delete(directory);
    }
  }

  private static void run(Work work, Session session, List<Call> calls, long middle, Path kept)
      throws Exception {
    switch (work) {
      case REPLAY -> requireIdentical(Replay.of(session).mode(ReplayMode.MOCK).run(agent(calls)));
      case FORK -> fork(session, calls, middle, null);
      case POINTS -> ForkPoints.of(session);
      case VERIFY -> requirePassed(VerifyPolicy.defaults(), kept);
      case PROVE ->
        requirePassed(VerifyPolicy.defaults().expecting(Expectation.forkOf(session)), kept);
    }
  }

  private static void fork(Session session, List<Call> calls, long line, @Nullable Path out)
      throws Exception {
    requireIdentical(Replay.of(session)
        .mode(ReplayMode.MOCK)
        .fork(Fork.at(line))
        .directory(out)
        .run(agent(calls)));
  }

  private static void requirePassed(VerifyPolicy policy, Path fork) throws IOException {
    VerificationReport report = SessionVerifier.of(policy).verify(Session.open(fork));
    if (!report.findings().isEmpty()) {
      throw new IllegalStateException(report.findings().toString());
    }
  }

  private static void requireIdentical(ReplayReport report) {
    if (!report.isIdentical()) {
      throw new IllegalStateException(report.headline());
    }
  }

  private static ReplayAgent agent(List<Call> calls) {
    return scope -> {
      for (Call call : calls) {
        scope.call(call.tool(), call.params());
      }
      scope.end(SessionEnd.of(Status.SUCCESS));
    };
  }

  private static Session record(Path directory, List<Call> calls) throws Exception {
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), RecorderOptions.defaults())) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      for (Call call : calls) {
        scope.run(call.tool(), call.params(), call::output);
      }
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    return Session.open(directory);
  }
}
