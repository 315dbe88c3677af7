package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a model is to answer. Parameters that are not known stay in {@code json}.
 *
 * @param json as it is written: {@code temperature}, {@code max_tokens}, {@code seed}
 */
public record ModelParameters(JsonObject json) {

  /** Nothing is said. */
  public static final ModelParameters UNSTATED = new ModelParameters(JsonObject.EMPTY);

  /** Checks for null. */
  public ModelParameters {
    Objects.requireNonNull(json, "json");
  }

  /** With a temperature, not negative. */
  public ModelParameters withTemperature(double temperature) {
    return new ModelParameters(json.with("temperature", temperature));
  }

  /** With the longest answer, in tokens, not negative. */
  public ModelParameters withMaxTokens(long maxTokens) {
    return new ModelParameters(json.with("max_tokens", maxTokens));
  }

  /** With the seed of the model's random choices. */
  public ModelParameters withSeed(long seed) {
    return new ModelParameters(json.with("seed", seed));
  }

  /** The temperature; null when it is not said. */
  public @Nullable Double temperature() {
    return json.get("temperature") instanceof JsonNumber number ? number.asDouble() : null;
  }

  /** The longest answer, in tokens; null when it is not said. */
  public @Nullable Long maxTokens() {
    return integer("max_tokens");
  }

  /** The seed of the model's random choices; null when it is not said, or beyond 64 bits. */
  public @Nullable Long seed() {
    return integer("seed");
  }

  private @Nullable Long integer(String name) {
    try {
      return json.get(name) instanceof JsonNumber number ? number.asLong() : null;
    } catch (ArithmeticException notALong) {
      return null;
    }
  }
}
