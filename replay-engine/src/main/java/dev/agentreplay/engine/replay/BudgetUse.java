package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The part of its budget that a replay has used. Safe for use by several threads. */
final class BudgetUse {

  private final ReplayBudget budget;
  private long calls;
  private long tokens;
  private BigDecimal money = BigDecimal.ZERO;
  private long bytes;

  BudgetUse(ReplayBudget budget) {
    this.budget = budget;
  }

  /** Adds a call that is to be executed. Returns the reason if a limit is exceeded, else null. */
  synchronized @Nullable String addCall(ReplayEvent call) {
    if (budget.money() != null
        && call instanceof ModelCall model
        && budget.prices().of(Requests.name(model)) == null) {
      return "the budget has a maximum cost, and no price of the model %s"
          .formatted(Requests.name(model));
    } else if (budget.calls() != null && calls >= budget.calls()) {
      return "the budget of %d executed calls is used up".formatted(budget.calls());
    }
    calls++;
    return null;
  }

  /** Adds the result of a model. Returns the reason if a limit is exceeded, else null. */
  synchronized @Nullable String add(ModelCall call, ModelResult result) {
    long input = count(result.tokens().input());
    long output = count(result.tokens().output());
    tokens += input + output;
    Prices.Price price = budget.prices().of(Requests.name(call));
    if (price != null) {
      money = money.add(price.cost(input, output));
    }
    if (budget.tokens() != null && tokens > budget.tokens()) {
      return "the budget of %d tokens is exceeded: %d".formatted(budget.tokens(), tokens);
    } else if (budget.money() != null && money.compareTo(budget.money()) > 0) {
      return "the budget of %s is exceeded: %s"
          .formatted(budget.money().toPlainString(), money.stripTrailingZeros().toPlainString());
    }
    return null;
  }

  private static long count(@Nullable Long tokens) {
    return tokens == null ? 0 : Math.max(tokens, 0);
  }

  /**
   * Adds a line of the log. Returns the reason if a limit is exceeded, else null.
   *
   * @param offset the bytes before the line
   */
  synchronized @Nullable String addBytes(long offset) {
    bytes = Math.max(bytes, offset);
    return budget.bytes() != null && bytes > budget.bytes()
        ? "the budget of %d bytes is exceeded: %d".formatted(budget.bytes(), bytes)
        : null;
  }

  /** Returns the reason if the time is exceeded, else null. */
  @Nullable
  String time(Duration elapsed) {
    Duration time = budget.time();
    return time != null && elapsed.compareTo(time) > 0 ? timeIsExceeded(time) : null;
  }

  /** The reason of a replay that takes longer than its budget. */
  static String timeIsExceeded(Duration time) {
    return "the budget of %s s is exceeded".formatted(time.toMillis() / 1_000.0);
  }

  /** The used part as JSON. */
  synchronized JsonObject json() {
    JsonObject json = JsonObject.of("calls", calls, "tokens", tokens, "bytes", bytes);
    return budget.prices().isEmpty()
        ? json
        : json.with("money", JsonNumber.of(money.doubleValue()));
  }
}
