package dev.agentreplay.records.internal;

import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.view.Prices.Price;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.agents.RoundMessages;
import java.math.BigDecimal;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The use of the budget of a replay whose agents run. Agents count the tokens of a round and not
 * those of each model. Their cost is therefore known only if all models of the roster have the same
 * price.
 */
public final class LiveBudget {

  private final ReplayBudget budget;
  private final @Nullable Price price;
  private long calls;
  private long bytes;
  private long tokensIn;
  private long tokensOut;

  /**
   * Creates an unused budget.
   *
   * @throws IllegalArgumentException if money is limited, and the cost of the roster is not known
   */
  LiveBudget(ReplayBudget budget, List<AgentRosterEntry> roster) {
    String unknownCost = unknownCost(budget, roster);
    if (unknownCost != null) {
      throw new IllegalArgumentException(unknownCost);
    }
    this.budget = budget;
    this.price = budget.money() == null
        ? null
        : models(roster).stream().map(budget.prices()::of).findFirst().orElse(null);
  }

  private static SortedSet<String> models(List<AgentRosterEntry> roster) {
    SortedSet<String> models = new TreeSet<>();
    roster.forEach(agent -> models.add(agent.model()));
    return models;
  }

  /**
   * The reason why the cost of a roster is not known although the budget limits money: a model
   * without a price, or models with different ones. Null if it is known, or money is not limited.
   */
  public static @Nullable String unknownCost(ReplayBudget budget, List<AgentRosterEntry> roster) {
    if (budget.money() == null) {
      return null;
    }
    Price common = null;
    SortedSet<String> models = models(roster);
    for (String model : models) {
      Price price = budget.prices().of(model);
      if (price == null) {
        return "budget of money: expected a price of each model of the roster, found none of \"%s\""
            .formatted(model);
      }
      if (common != null && !hasSame(common, price)) {
        return "budget of money: expected one price, because agents do not count the tokens of each"
            + " model, found different ones: " + String.join(", ", models);
      }
      common = price;
    }
    return null;
  }

  /** Compares by value: 1.0 is the same price as 1. */
  private static boolean hasSame(Price a, Price b) {
    return a.input().compareTo(b.input()) == 0 && a.output().compareTo(b.output()) == 0;
  }

  /**
   * Counts a round.
   *
   * @return the limit that is exceeded, in words; null if none is
   */
  @Nullable
  String add(RoundMessages sent, List<TraceMessage> messages) {
    calls += messages.size();
    bytes += messages.stream().mapToLong(TraceMessage::contentLength).sum();
    tokensIn = saturated(tokensIn, sent.tokensIn());
    tokensOut = saturated(tokensOut, sent.tokensOut());
    boolean needsTokens = budget.tokens() != null || price != null;
    if (needsTokens && !messages.isEmpty() && sent.tokensIn() == 0 && sent.tokensOut() == 0) {
      return "the agents did not count their tokens, which the budget limits";
    }
    long tokens = saturated(tokensIn, tokensOut);
    if (isOver(calls, budget.calls())) {
      return exceeded("calls", calls + " messages", budget.calls());
    } else if (isOver(bytes, budget.bytes())) {
      return exceeded("bytes", bytes + " bytes", budget.bytes());
    } else if (isOver(tokens, budget.tokens())) {
      return exceeded("tokens", tokens + " tokens", budget.tokens());
    }
    BigDecimal money = budget.money();
    if (money != null && price != null) {
      BigDecimal cost = price.cost(tokensIn, tokensOut);
      if (cost.compareTo(money) > 0) {
        String spent = "a cost of " + cost.stripTrailingZeros().toPlainString();
        return exceeded("money", spent, money.toPlainString());
      }
    }
    return null;
  }

  private static boolean isOver(long used, @Nullable Long limit) {
    return limit != null && used > limit;
  }

  private static String exceeded(String name, String used, @Nullable Object limit) {
    return "the budget of %s is exceeded: expected at most %s, found %s"
        .formatted(name, limit, used);
  }

  private static long saturated(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum; // neither is negative
  }
}
