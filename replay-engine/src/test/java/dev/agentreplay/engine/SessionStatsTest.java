package dev.agentreplay.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.agentreplay.engine.SessionStats.Accumulator;
import dev.agentreplay.engine.SessionStats.Accumulator.AgentStatsData;
import dev.agentreplay.engine.SessionStats.Accumulator.StatsData;
import dev.agentreplay.engine.SessionStats.Accumulator.ToolStatsData;
import dev.agentreplay.engine.report.StatsJson;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Totals over sessions, against numbers counted by hand. */
class SessionStatsTest {

  @Test
  void nothing_is_zero() {
    assertThat(SessionStats.accumulator().toStats())
        .isEqualTo(new StatsData(0, 0, 0, 0, 0, 0.0, Map.of(), Map.of()));
  }

  @Test
  void totals_are_summed_up_by_tool() {
    SessionStats stats = SessionStats.accumulator()
        .add(ReplayHeader.of("p"))
        .add(call("1", "read"))
        .add(call("2", "write"))
        .add(result("1", 10L, 0.5, Outcome.OK))
        .add(result("2", 20L, -0.25, Outcome.exit(1)))
        .add(call("1", "write"))
        .add(result("1", null, null, Outcome.failed("E", "m")))
        .add(call("3", "never"))
        .add(result("nobody", 7L, 0.5, Outcome.NONE))
        .add(ModelResult.of("m", "answer").withLatencyMillis(5L))
        .toStats();

    assertThat(stats)
        .isEqualTo(new StatsData(
            10,
            4,
            4,
            37,
            5,
            0.25,
            Map.of(
                "never", new ToolStatsData(1, 0, 0, 0),
                "read", new ToolStatsData(1, 1, 0, 10),
                "write", new ToolStatsData(2, 2, 2, 20)),
            Map.of()));
    assertThat(stats.byTool().keySet()).containsExactly("never", "read", "write");
  }

  @Test
  void totals_of_several_agents_are_summed_up_by_agent() {
    Meta one = Meta.NONE.withAgent("one");
    SessionStats stats = SessionStats.accumulator()
        .add(ModelCall.of("m", "gpt", Prompt.of("p")).withMeta(one))
        .add(ModelCall.of("m", "gpt", Prompt.of("p")))
        .add(call("1", "read").withMeta(one))
        .add(ModelResult.of("m", "a").withTokens(TokenCounts.of(1, 2)))
        .add(ModelResult.of("m", "a").withTokens(TokenCounts.of(30, 40)).withMeta(one))
        .toStats();

    assertThat(stats.byAgent())
        .isEqualTo(Map.of(
            "", new AgentStatsData(0, 1, 1, 2),
            "one", new AgentStatsData(1, 1, 30, 40)));
    assertThat(StatsJson.render(stats).at("/by_agent").toString())
        .isEqualTo("{\"\":{\"tool_calls\":0,\"model_calls\":1,\"tokens_in\":1,\"tokens_out\":2},"
            + "\"one\":{\"tool_calls\":1,\"model_calls\":1,\"tokens_in\":30,\"tokens_out\":40}}");
  }

  @Test
  void totals_of_one_agent_are_those_of_the_session() {
    SessionStats stats = SessionStats.accumulator()
        .add(call("1", "read").withMeta(Meta.NONE.withAgent("one")))
        .add(result("1", 1L, null, Outcome.OK))
        .toStats();

    assertThat(stats.byAgent()).isEmpty();
    assertThat(StatsJson.render(stats).has("by_agent")).isFalse();
  }

  @Test
  void average_is_zero_when_no_result_states_a_utility() {
    Accumulator fold =
        SessionStats.accumulator().add(call("1", "t")).add(result("1", 1L, null, Outcome.OK));
    assertThat(fold.toStats().averageStepUtility()).isZero();
  }

  @Test
  void result_failed_when_its_exit_code_or_error_says_so() {
    Accumulator fold = SessionStats.accumulator();
    for (Outcome outcome : List.of(
        Outcome.NONE,
        Outcome.of(null, 0, null),
        Outcome.of(null, 2, null),
        Outcome.of(null, null, new Failure(JsonObject.of("message", "m"))),
        Outcome.of(true, 2, null))) {
      fold.add(call("1", "t")).add(result("1", 1L, null, outcome));
    }
    assertThat(fold.toStats().byTool()).containsEntry("t", new ToolStatsData(5, 5, 2, 5));
  }

  @Test
  void totals_so_far_do_not_change_with_later_events() {
    Accumulator fold = SessionStats.accumulator().add(call("1", "t"));
    SessionStats before = fold.toStats();
    fold.add(call("2", "t"));

    assertThat(before.byTool()).containsEntry("t", new ToolStatsData(1, 0, 0, 0));
    assertThat(fold.toStats().byTool()).containsEntry("t", new ToolStatsData(2, 0, 0, 0));
    assertThatThrownBy(() -> before.byTool().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void recorded_session_of_the_dialect_event() throws IOException {
    SessionStats stats = stats("task-18_trial-3");
    assertThat(stats.events()).isEqualTo(7);
    assertThat(stats.totalLatencyMillis()).isEqualTo(52);
    assertThat(stats.averageStepUtility()).isCloseTo(0.2, within(1e-7));
    assertThat(stats.byTool())
        .isEqualTo(Map.of("transfer_to_human_agents", new ToolStatsData(1, 1, 0, 52)));
  }

  @Test
  void recorded_session_of_the_dialect_type() throws IOException {
    SessionStats stats = stats("20251223-125618");
    assertThat(stats)
        .isEqualTo(new StatsData(
            5, 2, 1, 26_587, 0, 0.0, Map.of("Bash", new ToolStatsData(2, 1, 1, 26_587)), Map.of()));
  }

  private static SessionStats stats(String name) throws IOException {
    Accumulator fold = SessionStats.accumulator();
    try (ReplayReader reader =
        Session.open(TestSessions.bundled("sessions/" + name)).reader()) {
      for (ReplayLine line : reader) {
        fold.add(line.event());
      }
    }
    return fold.toStats();
  }

  private static ToolCall call(String id, String tool) {
    return ToolCall.of(id, tool, JsonObject.EMPTY);
  }

  private static ToolResult result(String id, Long latency, Double utility, Outcome outcome) {
    return ToolResult.of(id, "out")
        .withLatencyMillis(latency)
        .withStepUtility(utility)
        .withOutcome(outcome);
  }
}
