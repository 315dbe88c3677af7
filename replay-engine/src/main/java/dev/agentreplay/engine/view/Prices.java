package dev.agentreplay.engine.view;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The prices of models, all in one currency. Immutable and safe for use by several threads.
 *
 * <p>As JSON, with the prices of a million tokens:
 *
 * <pre>
 * {"gpt-5": {"input": 1.25, "output": 10}}
 * </pre>
 */
public final class Prices {

  /** No prices. */
  public static final Prices NONE = new Prices(Map.of());

  private static final int MAX_DIGITS = 30;

  private final Map<String, Price> byModel;

  private Prices(Map<String, Price> byModel) {
    this.byModel = byModel;
  }

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

  /** Creates prices by the names of models. */
  public static Prices of(Map<String, Price> byModel) {
    return new Prices(Collections.unmodifiableMap(new TreeMap<>(byModel)));
  }

  /**
   * Converts JSON: an object with an object for each model, whose members {@code input} and
   * {@code output} are the prices of a million tokens.
   *
   * @throws IllegalArgumentException if it is not of this form; the message names the place
   */
  public static Prices fromJson(JsonObject json) {
    Map<String, Price> prices = new TreeMap<>();
    json.forEach((model, value) -> {
      if (!(value instanceof JsonObject price)) {
        throw new IllegalArgumentException(
            "prices: %s: expected an object, found a %s".formatted(model, value.typeName()));
      }
      prices.put(model, new Price(price(price, model, "input"), price(price, model, "output")));
    });
    return of(prices);
  }

  private static BigDecimal price(JsonObject price, String model, String name) {
    if (price.get(name) instanceof JsonNumber number) {
      BigDecimal amount = new BigDecimal(number.toString());
      if (amount.precision() > MAX_DIGITS || Math.abs((long) amount.scale()) > MAX_DIGITS) {
        throw new IllegalArgumentException(
            "prices: %s: %s: expected at most %d digits before and after the point"
                .formatted(model, name, MAX_DIGITS));
      }
      return amount;
    }
    throw new IllegalArgumentException(
        "prices: %s: expected a number as \"%s\"".formatted(model, name));
  }

  /** Whether there are no prices. */
  public boolean isEmpty() {
    return byModel.isEmpty();
  }

  /** The names of the models with a price, sorted. Unmodifiable. */
  public Set<String> models() {
    return byModel.keySet();
  }

  /** The price of a model; null if there is none. */
  public @Nullable Price of(@Nullable String model) {
    return model == null ? null : byModel.get(model);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Prices prices && byModel.equals(prices.byModel);
  }

  @Override
  public int hashCode() {
    return Objects.hash(byModel);
  }

  @Override
  public String toString() {
    return byModel.toString();
  }
}
