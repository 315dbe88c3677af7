package dev.agentreplay.model;

import org.jspecify.annotations.Nullable;

/**
 * How many tokens a model read and wrote.
 *
 * @param input tokens of the prompt, not negative
 * @param output tokens of the answer, not negative
 */
public record TokenCounts(@Nullable Long input, @Nullable Long output) {

  /** Nothing is said. */
  public static final TokenCounts UNSTATED = new TokenCounts(null, null);

  /** Both are known. */
  public static TokenCounts of(long input, long output) {
    return new TokenCounts(input, output);
  }
}
