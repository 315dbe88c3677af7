package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A model has answered.
 *
 * @param id the call that it answers
 * @param answer what it said: text, or a structured value
 * @param finish how the answer ended
 * @param tokens how many tokens were read and written
 * @param latencyMillis how long it took, in milliseconds, not negative
 * @param meta what every event has
 */
public record ModelResult(
    String id,
    Content answer,
    Completion finish,
    TokenCounts tokens,
    @Nullable Long latencyMillis,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public ModelResult {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(answer, "answer");
    Objects.requireNonNull(finish, "finish");
    Objects.requireNonNull(tokens, "tokens");
    Objects.requireNonNull(meta, "meta");
  }

  /** A result; the answer is converted as by {@link JsonValue#of}. */
  public static ModelResult of(String id, @Nullable Object answer) {
    return new ModelResult(
        id, Content.of(JsonValue.of(answer)), Completion.NONE, TokenCounts.NONE, null, Meta.NONE);
  }

  /** With another answer, or what stands for it. */
  public ModelResult withAnswer(Content newAnswer) {
    return new ModelResult(id, newAnswer, finish, tokens, latencyMillis, meta);
  }

  /** With how the answer ended. */
  public ModelResult withFinish(Completion newFinish) {
    return new ModelResult(id, answer, newFinish, tokens, latencyMillis, meta);
  }

  /** With how many tokens were read and written. */
  public ModelResult withTokens(TokenCounts newTokens) {
    return new ModelResult(id, answer, finish, newTokens, latencyMillis, meta);
  }

  /** With a latency in milliseconds. */
  public ModelResult withLatencyMillis(@Nullable Long newLatencyMillis) {
    return new ModelResult(id, answer, finish, tokens, newLatencyMillis, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.MODEL_RESULT;
  }

  @Override
  public Content content() {
    return answer;
  }

  @Override
  public String callId() {
    return id;
  }

  @Override
  public Boolean succeeded() {
    return finish.error() == null;
  }

  @Override
  public ModelResult withMeta(Meta newMeta) {
    return new ModelResult(id, answer, finish, tokens, latencyMillis, newMeta);
  }

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
    public static final Completion NONE = new Completion(null, null, null);

    /** The whole answer was received. */
    public static Completion of(String reason) {
      return new Completion(reason, null, null);
    }

    /** It failed; what was received of the answer, if anything, is a part of it. */
    public static Completion failed(String name, String message) {
      return new Completion(null, true, JsonObject.of("name", name, "message", message));
    }
  }

  /**
   * How many tokens a model read and wrote.
   *
   * @param input tokens of the prompt, not negative
   * @param output tokens of the answer, not negative
   */
  public record TokenCounts(@Nullable Long input, @Nullable Long output) {

    /** Nothing is said. */
    public static final TokenCounts NONE = new TokenCounts(null, null);

    /** Both are known. */
    public static TokenCounts of(long input, long output) {
      return new TokenCounts(input, output);
    }
  }
}
