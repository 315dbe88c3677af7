package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.demo.DemoAgent;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.verify.Expectation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerifyPolicy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Forks of the session of {@code replay demo}. */
@DisabledOnOs(OS.WINDOWS)
class DemoForkTest {

  private static final ToolExecutor NONE = ToolExecutor.of(params -> {
    throw new AssertionError("a tool was executed");
  });

  @TempDir
  Path directory;

  private ReplayReport fork(Session session, Fork fork, Path out) throws Exception {
    return Replay.of(session)
        .mode(ReplayMode.MOCK)
        .fork(fork)
        .directory(out)
        .run(new DemoAgent(NONE, DemoAgent.SEARCHED));
  }

  @Test
  void each_fork_without_a_change_is_identical_and_proved_and_a_change_is_found() throws Exception {
    Path sessions = directory.resolve("demo");
    assertThat(Console.run("demo", "--out", sessions.toString()).exit()).isZero();
    Session session = Session.open(sessions.resolve("first"));
    VerifyPolicy policy = VerifyPolicy.defaults().expecting(Expectation.forkOf(session));
    List<ForkPoint> points = ForkPoints.of(session).possible();
    assertThat(points).hasSize(6).hasSameSizeAs(ForkPoints.of(session).all());
    for (ForkPoint point : points) {
      Path out = directory.resolve("fork-" + point.line());

      ReplayReport report = fork(session, Fork.at(point.line()), out);

      assertThat(report.verdict()).as(point.toString()).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(SessionVerifier.of(policy).verify(Session.open(out)).findings())
          .isEmpty();
    }
    long second = points.get(1).line();
    Path changed = directory.resolve("changed");

    ReplayReport report =
        fork(session, Fork.at(second).set("/output", JsonString.of("a different output")), changed);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergences())
        .allSatisfy(each -> assertThat(each.recordedLine()).isGreaterThanOrEqualTo(second));
    assertThat(SessionVerifier.of(policy).verify(Session.open(changed)).findings())
        .filteredOn(finding -> finding.code().name().contains("FORK"))
        .isEmpty();
  }
}
