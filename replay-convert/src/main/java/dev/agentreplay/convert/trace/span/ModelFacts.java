package dev.agentreplay.convert.trace.span;

import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a span states of a request to a model.
 *
 * @param model the name of the model; null if it states none
 * @param parameters the parameters of the request
 * @param prompt the prompt, as far as it is stated
 * @param answer the message of the model; null if it states none
 * @param usage the tokens
 * @param ending the end of the request
 */
public record ModelFacts(
    @Nullable String model,
    JsonObject parameters,
    Prompt prompt,
    @Nullable JsonValue answer,
    Usage usage,
    Ending ending) {

  /**
   * The prompt of a request.
   *
   * @param system the system prompt, if it is not one of the messages
   * @param messages the messages; empty if the span does not state them
   * @param tools the tools that the model may call
   */
  public record Prompt(
      @Nullable JsonValue system, List<JsonValue> messages, @Nullable JsonArray tools) {

    /** A prompt of which nothing is stated. */
    public static final Prompt NONE = new Prompt(null, List.of(), null);

    /** Copies the messages. */
    public Prompt {
      messages = List.copyOf(messages);
    }
  }

  /**
   * The tokens of a request.
   *
   * @param details all that the source states of them
   */
  public record Usage(TokenCounts tokens, JsonObject details) {

    /** Tokens of which nothing is stated. */
    public static final Usage NONE = new Usage(TokenCounts.NONE, JsonObject.EMPTY);

    /** Whether a number of tokens is stated. */
    public boolean isStated() {
      return tokens.input() != null || tokens.output() != null;
    }
  }

  /** The way in which a request ended, and the id of the answer. */
  public record Ending(
      @Nullable String reason, @Nullable String responseId, @Nullable Failure failure) {}

  /** Returns a copy with tokens that another span of the same request states. */
  public ModelFacts withUsage(Usage newUsage) {
    return new ModelFacts(model, parameters, prompt, answer, newUsage, ending);
  }
}
