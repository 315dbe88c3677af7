package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.Prices.Price;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.check.CallPairing;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The costs of model calls, by the events of one session in their order. */
public final class ModelCosts {

  private final Prices prices;
  private final CallPairing<String> models = new CallPairing<>();

  public ModelCosts(Prices prices) {
    this.prices = prices;
  }

  /** The cost of a call by its result, as a decimal number; null for events without one. */
  @Nullable
  public String of(ReplayEvent event) {
    if (prices.isEmpty()) {
      return null;
    }
    if (event instanceof ModelCall call && call.model() != null) {
      models.call(call.id(), call.meta().agent(), call.model());
    } else if (event instanceof ModelResult result) {
      Price price = prices.of(models.result(result.id(), result.meta().agent()));
      Long input = result.tokens().input();
      Long output = result.tokens().output();
      return price == null || input == null || output == null
          ? null
          : text(price.cost(input, output));
    }
    return null;
  }

  /** A sum as text, without zeros at its end. */
  public static String text(BigDecimal amount) {
    return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
  }
}
