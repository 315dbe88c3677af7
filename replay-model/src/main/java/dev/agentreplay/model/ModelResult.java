package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a model call.
 *
 * @param id the id of its call
 * @param answer the answer: text, or a structured value
 * @param finish the way in which the answer ended
 * @param tokens the numbers of tokens that were read and written
 * @param timing the duration of the call, and the pieces of a streamed answer
 * @param meta the data common to all events
 */
public record ModelResult(
    String id, Content answer, Completion finish, TokenCounts tokens, Timing timing, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public ModelResult {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(answer, "answer");
    Objects.requireNonNull(finish, "finish");
    Objects.requireNonNull(tokens, "tokens");
    Objects.requireNonNull(timing, "timing");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates a result; the answer is converted as by {@link JsonValue#of}. */
  public static ModelResult of(String id, @Nullable Object answer) {
    return new ModelResult(
        id,
        Content.of(JsonValue.of(answer)),
        Completion.NONE,
        TokenCounts.NONE,
        Timing.NONE,
        Meta.NONE);
  }

  /** Returns a copy with the given answer. */
  public ModelResult withAnswer(Content newAnswer) {
    return new ModelResult(id, newAnswer, finish, tokens, timing, meta);
  }

  /** Returns a copy with the given completion. */
  public ModelResult withFinish(Completion newFinish) {
    return new ModelResult(id, answer, newFinish, tokens, timing, meta);
  }

  /** Returns a copy with the given numbers of tokens. */
  public ModelResult withTokens(TokenCounts newTokens) {
    return new ModelResult(id, answer, finish, newTokens, timing, meta);
  }

  /** Returns a copy with the given latency in milliseconds. */
  public ModelResult withLatencyMillis(@Nullable Long newLatencyMillis) {
    return withTiming(timing.withLatencyMillis(newLatencyMillis));
  }

  /** Returns a copy with the given times. */
  public ModelResult withTiming(Timing newTiming) {
    return new ModelResult(id, answer, finish, tokens, newTiming, meta);
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
  public @Nullable Long latencyMillis() {
    return timing.latencyMillis();
  }

  @Override
  public ModelResult withMeta(Meta newMeta) {
    return new ModelResult(id, answer, finish, tokens, timing, newMeta);
  }

  /**
   * The way in which a model's answer ended.
   *
   * @param reason the finish reason in the words of the model's provider: "stop", "length",
   *     "tool_calls"
   * @param partial whether only a part of the answer was received
   * @param error the error; null when the call succeeded
   */
  public record Completion(
      @Nullable String reason, @Nullable Boolean partial, @Nullable Failure error) {

    /** No reason, no error, and not known whether the answer is partial. */
    public static final Completion NONE = new Completion(null, null, null);

    /** Creates the completion of an answer that was received as a whole. */
    public static Completion of(String reason) {
      return new Completion(reason, null, null);
    }

    /** Creates the completion of a failed call; the answer, if any, is partial. */
    public static Completion failed(String name, String message) {
      return failed(Failure.of(name, message));
    }

    /** Creates the completion of a failed call; the answer, if any, is partial. */
    public static Completion failed(Failure error) {
      return new Completion(null, true, Objects.requireNonNull(error, "error"));
    }
  }

  /**
   * The numbers of tokens that a model read and wrote.
   *
   * @param input the tokens of the prompt, not negative
   * @param output the tokens of the answer, not negative
   */
  public record TokenCounts(@Nullable Long input, @Nullable Long output) {

    /** Neither number is known. */
    public static final TokenCounts NONE = new TokenCounts(null, null);

    /** Creates token counts. */
    public static TokenCounts of(long input, long output) {
      return new TokenCounts(input, output);
    }
  }
}
