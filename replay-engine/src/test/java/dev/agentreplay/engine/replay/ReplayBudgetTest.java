package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.Prices.Price;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Budgets: a replay stops at the exchange that exceeds one, with the reason. */
@Timeout(60)
class ReplayBudgetTest {

  private static final int CALLS = 5;

  @TempDir
  Path directory;

  private Session session;
  private final AtomicInteger executions = new AtomicInteger();

  /** Asks a model several times; each answer has 1,000 tokens, 600 of them of the prompt. */
  private final ReplayAgent agent = scope -> {
    for (int i = 0; i < CALLS; i++) {
      scope.ask("gpt-5", "question " + i);
    }
  };

  private final Executors executors = Executors.none().withModel((call, pieces) -> {
    executions.incrementAndGet();
    return ModelResult.of(call.id(), "answer").withTokens(TokenCounts.of(600, 400));
  });

  @BeforeEach
  void record() throws Exception {
    session = TestRecordings.record(directory.resolve("recorded"), agent, executors);
    executions.set(0);
  }

  private ReplayReport live(ReplayBudget budget) throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .executors(executors)
        .budget(budget)
        .run(agent);
    requireClosedCounts(report);
    return report;
  }

  private static void isIncomplete(ReplayReport report, String reason) {
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).containsExactly(reason);
    assertThat(report.failure()).isInstanceOf(ReplayStoppedException.class);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "4"})
  void the_call_after_the_last_one_is_not_executed(long calls) throws Exception {
    ReplayReport report = live(ReplayBudget.unlimited().withCalls(calls));

    isIncomplete(report, "the budget of %d executed calls is used up".formatted(calls));
    assertThat(executions).hasValue((int) calls);
    assertThat(report.exchanges().executed()).isEqualTo(calls);
    assertThat(report.exchanges().unread()).isEqualTo(CALLS - calls);
    assertThat(report.divergences()).isEmpty();
    assertThat(report.budget().get("calls")).isEqualTo(JsonValue.of(calls));
  }

  @Test
  void a_budget_that_is_just_sufficient_changes_nothing() throws Exception {
    Price price = new Price(BigDecimal.TEN, BigDecimal.TEN);
    ReplayReport report = live(ReplayBudget.unlimited()
        .withCalls(CALLS)
        .withTokens(CALLS * 1_000)
        .withMoney(new BigDecimal("0.05"), Prices.of(Map.of("gpt-5", price))));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.budget().get("tokens")).isEqualTo(JsonValue.of(5_000));
    assertThat(report.budget().get("money")).isEqualTo(JsonValue.of(0.05));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "999, 1", "1000, 2", "4999, 5"})
  void tokens_stop_the_replay_after_the_answer_that_exceeds_them(long tokens, int executed)
      throws Exception {
    ReplayReport report = live(ReplayBudget.unlimited().withTokens(tokens));

    if (executed < CALLS) {
      isIncomplete(
          report, "the budget of %d tokens is exceeded: %d".formatted(tokens, executed * 1_000));
    } else { // the agent returns without a further request
      assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    }
    assertThat(executions).hasValue(executed);
    assertThat(report.exchanges().executed()).isEqualTo(executed);
  }

  @Test
  void money_is_counted_by_the_price_of_the_model() throws Exception {
    Prices prices = Prices.fromJson(JsonText.parse(
            """
        {"gpt-5": {"input": 1.25, "output": 10}, "other": {"input": 1e9, "output": 0}}
        """)
        .asObject());

    ReplayReport report =
        live(ReplayBudget.unlimited().withMoney(new BigDecimal("0.0094"), prices));

    isIncomplete(report, "the budget of 0.0094 is exceeded: 0.0095"); // 0.00475 for each call
    assertThat(executions).hasValue(2);
  }

  @Test
  void a_model_without_a_price_is_not_executed() throws Exception {
    Price price = new Price(BigDecimal.TEN, BigDecimal.TEN);

    ReplayReport report =
        live(ReplayBudget.unlimited().withMoney(BigDecimal.ONE, Prices.of(Map.of("other", price))));

    isIncomplete(report, "the budget has a maximum cost, and no price of the model gpt-5");
    assertThat(executions).hasValue(0);
  }

  @Test
  void time_stops_the_replay_before_the_next_exchange() throws Exception {
    ReplayReport report = live(ReplayBudget.unlimited().withTime(Duration.ZERO));

    isIncomplete(report, "the budget of 0.0 s is exceeded");
    assertThat(executions).hasValue(0);
    assertThat(report.requests()).isZero();
  }

  @Test
  void bytes_count_also_what_is_served() throws Exception {
    Replay mock = Replay.of(session).mode(ReplayMode.MOCK);

    ReplayReport report = mock.budget(ReplayBudget.unlimited().withBytes(0)).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .first()
        .asString()
        .startsWith("the budget of 0 bytes is exceed");
    assertThat(report.exchanges().served()).isOne();
    requireClosedCounts(report);
  }

  @Test
  void bytes_count_what_the_agent_states() throws Exception {
    AtomicInteger emitted = new AtomicInteger();
    ReplayAgent talking = scope -> {
      while (true) {
        scope.emit(RuntimeEvent.of(1, "note", JsonValue.of("n" + emitted.getAndIncrement())));
      }
    };

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .budget(ReplayBudget.unlimited().withBytes(10_000))
        .run(talking);

    assertThat(report.incomplete()).first().asString().contains("10000 bytes is exceeded");
    assertThat(emitted.get()).isBetween(10, 1_000);
  }

  @Test
  void what_is_served_does_not_count_as_executed() throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .budget(ReplayBudget.unlimited().withCalls(0).withTokens(0))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_budget_is_for_the_recorded_requests_too() throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.NODE)
        .executors(executors)
        .budget(ReplayBudget.unlimited().withCalls(2))
        .run();

    isIncomplete(report, "the budget of 2 executed calls is used up");
    assertThat(executions).hasValue(2);
  }

  @Test
  void limits_and_prices_are_not_negative() {
    ReplayBudget budget = ReplayBudget.unlimited();

    assertThatThrownBy(() -> budget.withCalls(-1)).hasMessageContaining("budget of calls");
    assertThatThrownBy(() -> budget.withTokens(-1)).hasMessageContaining("budget of tokens");
    assertThatThrownBy(() -> budget.withBytes(-1)).hasMessageContaining("budget of bytes");
    assertThatThrownBy(() -> budget.withTime(Duration.ofNanos(-1)))
        .hasMessageContaining("budget of time");
    assertThatThrownBy(() -> budget.withMoney(BigDecimal.ONE.negate(), Prices.NONE))
        .hasMessageContaining("budget of money");
    assertThatThrownBy(() -> new Price(BigDecimal.ONE.negate(), BigDecimal.ZERO))
        .hasMessageContaining("must not be negative");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"m\": 1} | prices: m: expected an object, found a number",
        "{\"m\": {\"input\": 1}} | prices: m: expected a number as \"output\"",
        "{\"m\": {\"input\": \"1\", \"output\": 1}} | prices: m: expected a number as \"input\"",
      })
  void prices_name_the_place_that_is_wrong(String json, String message) {
    assertThatThrownBy(() -> Prices.fromJson(JsonText.parse(json).asObject()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
