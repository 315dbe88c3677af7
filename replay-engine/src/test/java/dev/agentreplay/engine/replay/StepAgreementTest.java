package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.ReplayReport.Agreement;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.session.Session;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agreement of steps that are executed each from its own recorded context. */
class StepAgreementTest {

  private static final int TURNS = 5;

  @TempDir
  Path directory;

  private Session session;
  private final SampleAgent agent = new SampleAgent(TURNS);

  @BeforeEach
  void record() throws Exception {
    session = agent.record(directory.resolve("recorded"));
  }

  private Replay replay(ReplayMode mode) {
    return Replay.of(session)
        .mode(mode)
        .executors(agent.executors())
        .policy(Replay.of(session).mode(mode).tool("read_file", Effect.PURE, none()).policy);
  }

  private static ToolExecutor none() {
    return ToolExecutor.of(params -> "");
  }

  @Test
  void steps_with_the_recorded_result_agree() throws Exception {
    String model = modelName(replay(ReplayMode.NODE).run());

    assertThat(replay(ReplayMode.NODE).run().agreement())
        .isEqualTo(
            Map.of("read_file", new Agreement(TURNS, TURNS), model, new Agreement(TURNS, TURNS)));
  }

  private static String modelName(ReplayReport report) {
    return report.agreement().keySet().stream()
        .filter(name -> !name.equals("read_file"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void steps_with_a_different_result_do_not_and_others_are_not_affected() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ToolExecutor recorded = agent.executors().tool("read_file");
    ToolExecutor sometimes = call -> calls.incrementAndGet() == 2 || calls.get() == 4
        ? none().execute(call)
        : recorded.execute(call);

    ReplayReport report = replay(ReplayMode.NODE)
        .executors(agent.executors().withTool("read_file", sometimes))
        .run();

    assertThat(report.agreement())
        .containsEntry("read_file", new Agreement(TURNS - 2, TURNS))
        .containsEntry(modelName(report), new Agreement(TURNS, TURNS));
    assertThat(RunJson.render(report).at("/agreement/same").asLong()).isEqualTo(2 * TURNS - 2);
    assertThat(RunJson.render(report).at("/agreement/of").asLong()).isEqualTo(2 * TURNS);
    assertThat(TextReport.render(report)).contains("agreement   8 of 10 executed: ");
  }

  @Test
  void what_was_served_does_not_count() throws Exception {
    ReplayReport report =
        Replay.of(session).mode(ReplayMode.NODE).executors(agent.executors()).run();

    assertThat(report.agreement()).containsOnlyKeys(modelName(report));
    assertThat(Replay.of(session).mode(ReplayMode.NODE).run().agreement()).isEmpty();
  }

  @Test
  void other_modes_have_none() throws Exception {
    ReplayReport report = replay(ReplayMode.FULL).run();

    assertThat(report.agreement()).isEmpty();
    assertThat(RunJson.render(report).get("agreement")).hasToString("null");
    assertThat(TextReport.render(report)).doesNotContain("agreement");
  }
}
