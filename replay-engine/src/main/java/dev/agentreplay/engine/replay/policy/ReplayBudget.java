package dev.agentreplay.engine.replay.policy;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The budget of a replay: when a limit is exceeded, the replay stops, and its verdict is
 * {@code INCOMPLETE}. Only what is executed counts, except for {@code bytes}. Null means unlimited.
 * Immutable.
 *
 * @param calls the maximum number of executed calls of tools and models
 * @param tokens the maximum number of tokens that executed models read and write
 * @param money the maximum cost of executed models, in the currency of the prices
 * @param prices the prices of models, by name; with a maximum cost, a model without a price is not
 *     executed
 * @param time the maximum duration of the replay, without pauses
 * @param bytes the maximum length of the log of the replay, in bytes, without its last line
 */
public record ReplayBudget(
    @Nullable Long calls,
    @Nullable Long tokens,
    @Nullable BigDecimal money,
    Map<String, Price> prices,
    @Nullable Duration time,
    @Nullable Long bytes) {

  /**
   * The price of a model.
   *
   * @param input the price of a million tokens of the prompt, not negative
   * @param output the price of a million tokens of the answer, not negative
   */
  public record Price(BigDecimal input, BigDecimal output) {

    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    /** Checks the ranges. */
    public Price {
      if (input.signum() < 0 || output.signum() < 0) {
        throw new IllegalArgumentException(
            "a price must not be negative: %s, %s".formatted(input, output));
      }
    }

    /** The cost of a call. */
    public BigDecimal cost(long inputTokens, long outputTokens) {
      return input
          .multiply(BigDecimal.valueOf(inputTokens))
          .add(output.multiply(BigDecimal.valueOf(outputTokens)))
          .divide(MILLION);
    }
  }

  /** Checks the ranges, and copies the prices. */
  public ReplayBudget {
    check("calls", calls);
    check("tokens", tokens);
    check("bytes", bytes);
    check("money", money == null ? null : (long) money.signum());
    check("time", time == null ? null : time.isNegative() ? -1L : 0L);
    prices = Collections.unmodifiableMap(new TreeMap<>(prices));
  }

  private static void check(String name, @Nullable Long limit) {
    if (limit != null && limit < 0) {
      throw new IllegalArgumentException("the budget of %s must not be negative".formatted(name));
    }
  }

  /** No limits. */
  public static ReplayBudget unlimited() {
    return new ReplayBudget(null, null, null, Map.of(), null, null);
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
  public ReplayBudget withMoney(BigDecimal newMoney, Map<String, Price> newPrices) {
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

  /**
   * Reads prices: an object with an object for each model, whose members {@code input} and
   * {@code output} are the prices of a million tokens.
   *
   * @throws IllegalArgumentException if it is not of this form; the message names the place
   */
  public static Map<String, Price> prices(JsonObject json) {
    Map<String, Price> prices = new TreeMap<>();
    json.forEach((model, value) -> {
      if (!(value instanceof JsonObject price)) {
        throw new IllegalArgumentException(
            "prices: %s: expected an object, found a %s".formatted(model, value.typeName()));
      }
      prices.put(model, new Price(price(price, model, "input"), price(price, model, "output")));
    });
    return prices;
  }

  private static BigDecimal price(JsonObject price, String model, String name) {
    if (price.get(name) instanceof JsonNumber number) {
      return new BigDecimal(number.toString());
    }
    throw new IllegalArgumentException(
        "prices: %s: expected a number as \"%s\"".formatted(model, name));
  }
}
