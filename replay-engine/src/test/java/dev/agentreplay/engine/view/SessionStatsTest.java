package dev.agentreplay.engine.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.report.StatsJson;
import dev.agentreplay.engine.view.SessionStats.Cost;
import dev.agentreplay.engine.view.SessionStats.ModelStats;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Totals over sessions, against numbers counted by hand. */
class SessionStatsTest {

  @Test
  void nothing_is_zero() {
    SessionStats stats = new StatsAccumulator().toStats();

    assertThat(StatsJson.render(stats).toString())
        .isEqualTo("{\"schema\":\"replay.stats/1\",\"events\":0,\"unknown_events\":0,"
            + "\"tool_calls\":0,\"tool_results\":0,\"failed_tool_results\":0,"
            + "\"total_latency_ms\":0,\"average_step_utility\":0.0,\"model_calls\":0,"
            + "\"model_results\":0,\"failed_model_results\":0,\"model_latency_ms\":0,"
            + "\"time_to_first_token_ms\":null,\"turns\":0,\"tokens_in\":0,\"tokens_out\":0,"
            + "\"results_without_tokens\":0,\"duration_ms\":null,\"by_tool\":{},"
            + "\"by_model\":{}}");
  }

  @Test
  void totals_are_summed_up_by_tool() {
    SessionStats stats = new StatsAccumulator()
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

    assertThat(stats.events()).isEqualTo(10);
    assertThat(stats.toolCalls()).isEqualTo(4);
    assertThat(stats.toolResults()).isEqualTo(4);
    assertThat(stats.failedToolResults()).isEqualTo(2);
    assertThat(stats.totalLatencyMillis()).isEqualTo(37);
    assertThat(stats.modelLatencyMillis()).isEqualTo(5);
    assertThat(stats.modelResults()).isEqualTo(1);
    assertThat(stats.averageStepUtility()).isEqualTo(0.25);
    assertThat(stats.utilities()).isEqualTo(3);
    assertThat(stats.byTool())
        .isEqualTo(Map.of(
            "never", new ToolTotals(1, 0, 0, 0),
            "read", new ToolTotals(1, 1, 0, 10),
            "write", new ToolTotals(2, 2, 2, 20)));
    assertThat(stats.byTool().keySet()).containsExactly("never", "read", "write");
  }

  @Test
  void tokens_times_and_failures_are_summed_up_by_model() {
    SessionStats stats = new StatsAccumulator()
        .add(ask("1", "gpt").withMeta(at("2026-11-28T10:00:00Z")))
        .add(answer("1", 100, 10).withTiming(streamed(400, 300)))
        .add(ask("2", "gpt"))
        .add(ModelResult.of("2", null).withFinish(Completion.failed("Overloaded", "later")))
        .add(ask("3", "gpt"))
        .add(answer("3", 1, 2).withTiming(streamed(500, 101)))
        .add(ask("4", "other"))
        .add(ModelResult.of("4", "a").withTokens(new TokenCounts(7L, null)))
        .add(ask("5", "silent"))
        .add(answer("nobody", 1000, 1000).withMeta(at("2026-11-28T10:00:02.500Z")))
        .toStats();

    assertThat(stats.modelCalls()).isEqualTo(5);
    assertThat(stats.modelResults()).isEqualTo(5);
    assertThat(stats.failedModelResults()).isEqualTo(1);
    assertThat(stats.turns()).isEqualTo(4);
    assertThat(stats.tokensIn()).isEqualTo(1108);
    assertThat(stats.tokensOut()).isEqualTo(1012);
    assertThat(stats.resultsWithoutTokens()).isEqualTo(1);
    assertThat(stats.meanTimeToFirstMillis()).isEqualTo(201); // 200.5
    assertThat(stats.duration()).isEqualTo(Duration.ofMillis(2500));
    ModelStats gpt = stats.byModel().get("gpt");
    assertThat(gpt.calls()).isEqualTo(3);
    assertThat(gpt.answered()).isEqualTo(3);
    assertThat(gpt.failed()).isEqualTo(1);
    assertThat(gpt.totalLatencyMillis()).isEqualTo(900);
    assertThat(gpt.tokensIn()).isEqualTo(101);
    assertThat(gpt.withoutTokens()).isZero();
    assertThat(stats.byModel().get("silent").answered()).isZero();
  }

  @Test
  void a_cost_names_the_models_without_a_price_and_counts_results_without_tokens() {
    Prices prices = Prices.fromJson(JsonText.parse(
            """
        {"gpt": {"input": 1.25, "output": 10}, "other": {"input": 2, "output": 2}}
        """)
        .asObject());
    StatsAccumulator fold = new StatsAccumulator()
        .add(ask("1", "gpt"))
        .add(answer("1", 1_000_000, 200_000))
        .add(ask("2", "silent")); // never answered

    Cost complete = fold.toStats().cost(prices);
    assertThat(complete.amount()).isEqualByComparingTo("3.25");
    assertThat(complete.isComplete()).isTrue();

    SessionStats stats = fold.add(ask("3", "free"))
        .add(answer("3", 1, 1))
        .add(ask("4", "other"))
        .add(ModelResult.of("4", "a").withTokens(new TokenCounts(1_000_000L, null)))
        .toStats();
    Cost partial = stats.cost(prices);
    assertThat(partial.amount()).isEqualByComparingTo("3.25");
    assertThat(partial.modelsWithoutPrice()).containsExactly("free");
    assertThat(partial.withoutTokens()).isEqualTo(1);
    assertThat(StatsJson.render(stats, prices).at("/cost").toString())
        .isEqualTo("{\"amount\":3.25,\"is_complete\":false,"
            + "\"models_without_price\":[\"free\"],\"results_without_tokens\":1}");
  }

  @Test
  void a_result_without_a_call_makes_the_cost_incomplete() {
    Prices prices =
        Prices.fromJson(JsonText.parse("{\"gpt\":{\"input\":1,\"output\":1}}").asObject());
    SessionStats stats = new StatsAccumulator()
        .add(ask("1", "gpt"))
        .add(answer("1", 1, 1))
        .add(answer("nobody", 5, 5))
        .toStats();

    assertThat(stats.byModel().get("").answered()).isEqualTo(1);
    assertThat(stats.cost(prices).modelsWithoutPrice()).containsExactly("");
    assertThat(stats.cost(prices).isComplete()).isFalse();
  }

  @Test
  void a_duration_needs_two_events_with_a_time_and_a_clock_that_advances() {
    ReplayHeader header = ReplayHeader.of("p").withMeta(at("2026-11-28T10:00:00Z"));
    StatsAccumulator fold = new StatsAccumulator().add(header).add(ask("1", "gpt"));
    assertThat(fold.toStats().duration()).isNull();

    fold.add(ask("2", "gpt").withMeta(at("2026-11-28T10:00:00Z")));
    assertThat(fold.toStats().duration()).isZero();

    fold.add(ask("3", "gpt").withMeta(at("2026-11-28T09:00:00Z")));
    assertThat(fold.toStats().duration()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e300", "1e-31", "1234567890123456789012345678901", "-1", "\"1\""})
  void a_price_out_of_range_is_refused(String price) {
    JsonObject json =
        JsonText.parse("{\"gpt\":{\"input\":%s,\"output\":1}}".formatted(price)).asObject();
    assertThatThrownBy(() -> Prices.fromJson(json)).isInstanceOf(IllegalArgumentException.class);
  }

  private static ModelCall ask(String id, String model) {
    return ModelCall.of(id, model, Prompt.of("p"));
  }

  private static ModelResult answer(String id, long in, long out) {
    return ModelResult.of(id, "answer").withTokens(TokenCounts.of(in, out));
  }

  private static Timing streamed(long latency, long first) {
    return Timing.of(latency).withChunks(Chunks.builder().add(first, 6).build());
  }

  private static Meta at(String time) {
    return Meta.NONE.withTime(Timestamp.parse(time));
  }

  @Test
  void totals_of_several_agents_are_summed_up_by_agent() {
    Meta one = Meta.NONE.withAgent("one");
    SessionStats stats = new StatsAccumulator()
        .add(ModelCall.of("m", "gpt", Prompt.of("p")).withMeta(one))
        .add(ModelCall.of("m", "gpt", Prompt.of("p")))
        .add(call("1", "read").withMeta(one))
        .add(ModelResult.of("m", "a").withTokens(TokenCounts.of(1, 2)))
        .add(ModelResult.of("m", "a").withTokens(TokenCounts.of(30, 40)).withMeta(one))
        .toStats();

    assertThat(stats.byAgent())
        .isEqualTo(Map.of(
            "", new AgentTotals(0, 1, 1, 2),
            "one", new AgentTotals(1, 1, 30, 40)));
    assertThat(StatsJson.render(stats).at("/by_agent").toString())
        .isEqualTo("{\"\":{\"tool_calls\":0,\"model_calls\":1,\"tokens_in\":1,\"tokens_out\":2},"
            + "\"one\":{\"tool_calls\":1,\"model_calls\":1,\"tokens_in\":30,\"tokens_out\":40}}");
  }

  @Test
  void totals_of_one_agent_are_those_of_the_session() {
    SessionStats stats = new StatsAccumulator()
        .add(call("1", "read").withMeta(Meta.NONE.withAgent("one")))
        .add(result("1", 1L, null, Outcome.OK))
        .toStats();

    assertThat(stats.byAgent()).isEmpty();
    assertThat(StatsJson.render(stats).has("by_agent")).isFalse();
  }

  @Test
  void average_is_zero_when_no_result_states_a_utility() {
    StatsAccumulator fold =
        new StatsAccumulator().add(call("1", "t")).add(result("1", 1L, null, Outcome.OK));
    assertThat(fold.toStats().averageStepUtility()).isZero();
  }

  @Test
  void result_failed_when_its_exit_code_or_error_says_so() {
    StatsAccumulator fold = new StatsAccumulator();
    for (Outcome outcome : List.of(
        Outcome.NONE,
        Outcome.of(null, 0, null),
        Outcome.of(null, 2, null),
        Outcome.of(null, null, new Failure(JsonObject.of("message", "m"))),
        Outcome.of(true, 2, null))) {
      fold.add(call("1", "t")).add(result("1", 1L, null, outcome));
    }
    assertThat(fold.toStats().byTool()).containsEntry("t", new ToolTotals(5, 5, 2, 5));
  }

  @Test
  void totals_so_far_do_not_change_with_later_events() {
    StatsAccumulator fold = new StatsAccumulator().add(call("1", "t"));
    SessionStats before = fold.toStats();
    fold.add(call("2", "t"));

    assertThat(before.byTool()).containsEntry("t", new ToolTotals(1, 0, 0, 0));
    assertThat(fold.toStats().byTool()).containsEntry("t", new ToolTotals(2, 0, 0, 0));
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
        .isEqualTo(Map.of("transfer_to_human_agents", new ToolTotals(1, 1, 0, 52)));
  }

  @Test
  void recorded_session_of_the_dialect_type() throws IOException {
    SessionStats stats = stats("20251223-125618");
    assertThat(stats.events()).isEqualTo(5);
    assertThat(stats.toolCalls()).isEqualTo(2);
    assertThat(stats.toolResults()).isEqualTo(1);
    assertThat(stats.totalLatencyMillis()).isEqualTo(26_587);
    assertThat(stats.byTool()).isEqualTo(Map.of("Bash", new ToolTotals(2, 1, 1, 26_587)));
  }

  private static SessionStats stats(String name) throws IOException {
    StatsAccumulator fold = new StatsAccumulator();
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
