package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.verify.Expectation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerifyPolicy;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forks of the recordings of AI services. */
class ForkReplayTest {

  private static final String PATH = "{\"path\": \"x\"}";

  @TempDir
  private Path directory;

  private final Executed executed = new Executed();

  private Agent agent() {
    AiMessage two = AiMessage.from(
        "two more",
        List.of(
            ScriptedModel.request("b", "read", "{\"path\": \"y\"}"),
            ScriptedModel.request("c", "read", "{\"path\": \"z\"}")));
    return instruments -> instruments
        .add(AiServices.builder(Assistant.class)
            .chatModel(
                executed.model(ScriptedModel.call("a", "read", PATH), two, AiMessage.from("done")))
            .tools(executed.files()))
        .build()
        .chat("go");
  }

  private ReplayReport fork(Session session, Fork fork, Path out, ReplayMode mode)
      throws Exception {
    return Replay.of(session)
        .policy(ReplayPolicy.of(mode).withEffect("read", Effect.PURE))
        .fork(fork)
        .directory(out)
        .run(scope -> Instruments.run(scope, agent()));
  }

  @Test
  void an_unchanged_fork_at_each_point_is_identical_and_proved() throws Exception {
    Session session = record(directory.resolve("recorded"), agent());
    List<ForkPoint> points = ForkPoints.of(session).possible();
    assertThat(points).hasSizeGreaterThanOrEqualTo(5);
    for (ForkPoint point : points) {
      Path out = directory.resolve("fork-" + point.line());

      assertIdentical(fork(session, Fork.at(point.line()), out, ReplayMode.TOOLS_LIVE));

      VerifyPolicy policy = VerifyPolicy.defaults().expecting(Expectation.forkOf(session));
      assertThat(SessionVerifier.of(policy).verify(Session.open(out)).findings())
          .isEmpty();
    }
  }

  @Test
  void a_changed_result_is_read_by_the_service() throws Exception {
    Session session = record(directory.resolve("recorded"), agent());
    executed.take();
    ForkPoint tool = ForkPoints.of(session).all().get(1);

    ReplayReport report = fork(
        session,
        Fork.at(tool.line()).set("/output", JsonString.of("changed")),
        directory.resolve("fork"),
        ReplayMode.MOCK);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().recordedLine()).isEqualTo(tool.line());
    assertThat(executed.take()).contains("model"); // its next turn differs, and is executed
  }
}
