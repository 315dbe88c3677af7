package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * How a model's answer ended.
 *
 * @param reason why it ended, as the model's provider says it: "stop", "length", "tool_calls"
 * @param partial whether only a part of the answer was received
 * @param error what went wrong: {@code name}, {@code message}, {@code stack}
 */
public record Completion(
    @Nullable String reason, @Nullable Boolean partial, @Nullable JsonObject error) {

  /** Nothing is said. */
  public static final Completion UNSTATED = new Completion(null, null, null);

  /** The whole answer was received. */
  public static Completion of(String reason) {
    return new Completion(reason, null, null);
  }

  /** It failed; what was received of the answer, if anything, is a part of it. */
  public static Completion failed(String name, String message) {
    return new Completion(null, true, JsonObject.of("name", name, "message", message));
  }
}
