package dev.agentreplay.engine.replay.policy;

import dev.agentreplay.engine.view.Prices;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The budget of a replay: when a limit is exceeded, the replay stops, and its verdict is
 * {@code INCOMPLETE}. Only what is executed counts, except for {@code bytes}. Null means unlimited.
 * Immutable.
 *
 * @param calls the maximum number of executed calls of tools and models
 * @param tokens the maximum number of tokens that executed models read and write
 * @param money the maximum cost of executed models, in the currency of the prices
 * @param prices the prices of models; with a maximum cost, a model without a price is not executed
 * @param time the maximum duration of the replay, without pauses
 * @param bytes the maximum length of the log of the replay, in bytes, without its last line
 */
public record ReplayBudget(
    @Nullable Long calls,
    @Nullable Long tokens,
    @Nullable BigDecimal money,
    Prices prices,
    @Nullable Duration time,
    @Nullable Long bytes) {

  /** Checks the ranges. */
  public ReplayBudget {
    check("calls", calls);
    check("tokens", tokens);
    check("bytes", bytes);
    check("money", money == null ? null : (long) money.signum());
    check("time", time == null ? null : time.isNegative() ? -1L : 0L);
    Objects.requireNonNull(prices, "prices");
  }

  private static void check(String name, @Nullable Long limit) {
    if (limit != null && limit < 0) {
      throw new IllegalArgumentException("the budget of %s must not be negative".formatted(name));
    }
  }

  /** No limits. */
  public static ReplayBudget unlimited() {
    return new ReplayBudget(null, null, null, Prices.NONE, null, null);
  }

  /** Returns this budget with a maximum number of executed calls. */
  public ReplayBudget withCalls(long newCalls) {
    return new ReplayBudget(newCalls, tokens, money, prices, time, bytes);
  }

  /** Returns this budget with a maximum number of tokens. */
  public ReplayBudget withTokens(long newTokens) {
    return new ReplayBudget(calls, newTokens, money, prices, time, bytes);
  }

  /** Returns this budget with a maximum cost, and the prices by which it is computed. */
  public ReplayBudget withMoney(BigDecimal newMoney, Prices newPrices) {
    return new ReplayBudget(
        calls, tokens, Objects.requireNonNull(newMoney, "money"), newPrices, time, bytes);
  }

  /** Returns this budget with a maximum duration. */
  public ReplayBudget withTime(Duration newTime) {
    return new ReplayBudget(
        calls, tokens, money, prices, Objects.requireNonNull(newTime, "time"), bytes);
  }

  /** Returns this budget with a maximum length of the log. */
  public ReplayBudget withBytes(long newBytes) {
    return new ReplayBudget(calls, tokens, money, prices, time, newBytes);
  }
}
