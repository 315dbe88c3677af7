package dev.agentreplay.engine.report;

import dev.agentreplay.engine.view.Prices;
import java.util.Objects;

/**
 * Options of {@link HtmlViewer}.
 *
 * @param prices the prices of models, with which the page shows the cost of each model call whose
 *     model has a price and whose result states its tokens; {@link Prices#NONE} by default
 */
public record ViewerOptions(Prices prices) {

  private static final ViewerOptions DEFAULTS = new ViewerOptions(Prices.NONE);

  /** Checks for null. */
  public ViewerOptions {
    Objects.requireNonNull(prices, "prices");
  }

  /** No prices. */
  public static ViewerOptions defaults() {
    return DEFAULTS;
  }

  /** Returns a copy with the given prices. */
  public ViewerOptions withPrices(Prices newPrices) {
    return new ViewerOptions(newPrices);
  }
}
