package dev.agentreplay.engine.report;

import dev.agentreplay.engine.view.Prices;
import java.util.Objects;

/**
 * Options of {@link HtmlViewer}.
 *
 * @param prices the prices of models, with which the page shows the cost of each model call whose
 *     model has a price and whose result states its tokens; {@link Prices#NONE} by default
 * @param sides the words for the two sides of a comparison; A and B by default
 */
public record ViewerOptions(Prices prices, SideNames sides) {

  private static final ViewerOptions DEFAULTS =
      new ViewerOptions(Prices.NONE, SideNames.defaults());

  /** Checks for null. */
  public ViewerOptions {
    Objects.requireNonNull(prices, "prices");
    Objects.requireNonNull(sides, "sides");
  }

  /** No prices, and the sides A and B. */
  public static ViewerOptions defaults() {
    return DEFAULTS;
  }

  /** Returns a copy with the given prices. */
  public ViewerOptions withPrices(Prices newPrices) {
    return new ViewerOptions(newPrices, sides);
  }

  /** Returns a copy with the given words for the sides. */
  public ViewerOptions withSides(SideNames newSides) {
    return new ViewerOptions(prices, newSides);
  }
}
