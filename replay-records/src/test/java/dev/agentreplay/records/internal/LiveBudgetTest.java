package dev.agentreplay.records.internal;

import static dev.agentreplay.records.internal.ThreeRounds.BLUE;
import static dev.agentreplay.records.internal.ThreeRounds.RECORD;
import static dev.agentreplay.records.internal.ThreeRounds.recorded;
import static dev.agentreplay.records.internal.ThreeRounds.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.Prices.Price;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.agents.RoundContext;
import dev.agentreplay.records.agents.RoundMessages;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Budgets of agents that send two messages, and read 1,000 and write 100 tokens, in a round. */
@Timeout(60)
class LiveBudgetTest {

  private static final ReplayBudget NONE = ReplayBudget.unlimited();
  private static final Price PRICE = price("10", "100");

  private static Price price(String input, String output) {
    return new Price(new BigDecimal(input), new BigDecimal(output));
  }

  private static RoundMessages counting(RoundContext context) {
    return new RoundMessages(recorded(context.roundNumber()), null, 1_000, 100);
  }

  /** Inputs with one model. */
  private static SessionInputs oneModel() {
    return RECORD
        .inputs()
        .withAgentRoster(RECORD.inputs().agentRoster().stream()
            .map(agent ->
                AgentRosterEntry.of(agent.agentName(), agent.role(), agent.program(), BLUE.model()))
            .toList());
  }

  static Stream<Arguments> exceeded() {
    return Stream.of(
        Arguments.of(
            NONE.withCalls(3),
            "the budget of calls is exceeded: expected at most 3, found 4 messages"),
        Arguments.of(
            NONE.withBytes(14),
            "the budget of bytes is exceeded: expected at most 14, found 17 bytes"),
        Arguments.of(
            NONE.withTokens(2_199),
            "the budget of tokens is exceeded: expected at most 2199, found 2200 tokens"),
        Arguments.of(
            NONE.withMoney(new BigDecimal("0.039"), Prices.of(Map.of(BLUE.model(), PRICE))),
            "the budget of money is exceeded: expected at most 0.039, found a cost of 0.04"));
  }

  @ParameterizedTest
  @MethodSource("exceeded")
  void replay_ends_after_the_round_that_exceeds_the_budget(ReplayBudget budget, String message)
      throws Exception {
    ReplayedSession session =
        replay(LiveBudgetTest::counting).budget(budget).inputs(oneModel()).run();

    assertThat(session.failure()).isEqualTo("round 1: " + message);
    assertThat(session.completedRounds()).isEqualTo(2);
    assertThat(session.record().trace().rounds()).hasSize(2);
  }

  @Test
  void budget_that_is_used_up_is_not_exceeded() throws Exception {
    ReplayBudget budget = NONE.withCalls(6)
        .withTokens(3_300)
        .withMoney(new BigDecimal("0.06"), Prices.of(Map.of(BLUE.model(), PRICE)));

    ReplayedSession session =
        replay(LiveBudgetTest::counting).budget(budget).inputs(oneModel()).run();

    assertThat(session.failure()).isNull();
    assertThat(session.completedRounds()).isEqualTo(3);
  }

  @Test
  void time_that_is_used_up_ends_the_round_that_runs() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    ReplayedSession session = replay(context -> {
          never.await();
          return counting(context);
        })
        .budget(NONE.withTime(Duration.ofMillis(200)))
        .run();

    assertThat(session.failure())
        .isEqualTo("round 0: the agents did not finish in 0.2 s, the budget of time");
  }

  @Test
  void tokens_that_agents_do_not_count_cannot_be_limited() throws Exception {
    ReplayedSession session =
        replay(ThreeRounds.echo()).budget(NONE.withTokens(1_000_000)).run();

    assertThat(session.failure())
        .isEqualTo("round 0: the agents did not count their tokens, which the budget limits");
    assertThat(session.completedRounds()).isEqualTo(1);
  }

  @Test
  void money_is_limited_only_if_all_models_have_one_price() throws Exception {
    Map<String, Price> two =
        Map.of("gpt-5.2", PRICE, "opus-4.5", price("10.0", "100.00"), "gemini-3", PRICE);
    Map<String, Price> different =
        Map.of("gpt-5.2", PRICE, "opus-4.5", price("11", "100"), "gemini-3", PRICE);
    BigDecimal money = BigDecimal.TEN;

    assertThat(unknownCost(NONE)).isNull();
    assertThat(unknownCost(NONE.withMoney(money, Prices.of(two)))).isNull();
    assertThat(replay(LiveBudgetTest::counting)
            .budget(NONE.withMoney(money, Prices.of(two)))
            .run()
            .failure())
        .isNull();
    assertThat(unknownCost(NONE.withMoney(money, Prices.of(different))))
        .isEqualTo("budget of money: expected one price, because agents do not count the tokens"
            + " of each model, found different ones: gemini-3, gpt-5.2, opus-4.5");
    assertThat(unknownCost(NONE.withMoney(money, Prices.NONE)))
        .isEqualTo("budget of money: expected a price of each model of the roster, found none of"
            + " \"gemini-3\"");
  }

  private static @Nullable String unknownCost(ReplayBudget budget) {
    return LiveBudget.unknownCost(budget, RECORD.inputs().agentRoster());
  }

  @Test
  void agents_whose_cost_is_not_known_do_not_run() {
    AtomicInteger rounds = new AtomicInteger();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> replay(context -> {
              rounds.incrementAndGet();
              return counting(context);
            })
            .budget(NONE.withMoney(BigDecimal.TEN, Prices.NONE))
            .run())
        .withMessageStartingWith("budget of money: expected a price of each model");
    assertThat(rounds).hasValue(0);
  }

  @Test
  void counts_of_tokens_do_not_overflow() throws Exception {
    ReplayedSession session = replay(
            context -> new RoundMessages(List.of(), null, Long.MAX_VALUE, Long.MAX_VALUE))
        .budget(NONE.withTokens(Long.MAX_VALUE - 1))
        .run();

    assertThat(session.failure()).contains("found 9223372036854775807 tokens");
  }
}
