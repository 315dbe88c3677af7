package dev.agentreplay.engine.view;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.check.EventRules;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The totals over model calls.
 *
 * @param totalTimeToFirstMillis the sum of the times to the first piece of the streamed answers
 * @param counted the results that state both numbers of tokens
 */
record ModelTotals(
    long calls,
    long answered,
    long failed,
    long totalLatencyMillis,
    long tokensIn,
    long tokensOut,
    long withoutTokens,
    long streamed,
    long totalTimeToFirstMillis,
    Counted counted)
    implements SessionStats.ModelStats {

  static final ModelTotals NONE = new ModelTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, Counted.NONE);

  static final ModelTotals CALL = new ModelTotals(1, 0, 0, 0, 0, 0, 0, 0, 0, Counted.NONE);

  /** The tokens of the results that state both numbers, by which a cost is computed. */
  record Counted(long input, long output) {

    static final Counted NONE = new Counted(0, 0);
  }

  /** The totals of one result. */
  static ModelTotals of(ModelResult result) {
    Long input = result.tokens().input();
    Long output = result.tokens().output();
    boolean isCounted = input != null && output != null && input >= 0 && output >= 0;
    boolean mayHaveNone = !result.succeeded() && input == null && output == null;
    Long first = result.timing().chunks().timeToFirstMillis();
    return new ModelTotals(
        0,
        1,
        result.succeeded() ? 0 : 1,
        EventRules.addTotal(0, result.latencyMillis()),
        EventRules.addTotal(0, input),
        EventRules.addTotal(0, output),
        isCounted || mayHaveNone ? 0 : 1,
        first == null ? 0 : 1,
        EventRules.addTotal(0, first),
        isCounted
            ? new Counted(EventRules.addTotal(0, input), EventRules.addTotal(0, output))
            : Counted.NONE);
  }

  ModelTotals plus(ModelTotals other) {
    return new ModelTotals(
        calls + other.calls,
        answered + other.answered,
        failed + other.failed,
        EventRules.addTotal(totalLatencyMillis, other.totalLatencyMillis),
        EventRules.addTotal(tokensIn, other.tokensIn),
        EventRules.addTotal(tokensOut, other.tokensOut),
        withoutTokens + other.withoutTokens,
        streamed + other.streamed,
        EventRules.addTotal(totalTimeToFirstMillis, other.totalTimeToFirstMillis),
        new Counted(
            EventRules.addTotal(counted.input, other.counted.input),
            EventRules.addTotal(counted.output, other.counted.output)));
  }

  @Override
  public @Nullable Long meanTimeToFirstMillis() {
    return streamed == 0 ? null : Math.round((double) totalTimeToFirstMillis / streamed);
  }

  BigDecimal cost(Prices.Price price) {
    return price.cost(counted.input, counted.output);
  }
}
