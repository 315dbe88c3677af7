package dev.agentreplay.records.agents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that the agents of a session sent in a round, and their artifact.
 *
 * @param messages the messages, in the order in which they were sent
 * @param artifact the text of the artifact that was compiled after the round; null for none
 * @param tokensIn the tokens that the models of the agents read; 0 if they are not counted
 * @param tokensOut the tokens that the models of the agents wrote; 0 if they are not counted
 */
public record RoundMessages(
    List<SentMessage> messages, @Nullable String artifact, long tokensIn, long tokensOut) {

  /** Copies the list, and checks the ranges. */
  public RoundMessages {
    messages = List.copyOf(messages);
    if (tokensIn < 0 || tokensOut < 0) {
      throw new IllegalArgumentException(
          "tokens must not be negative: %d, %d".formatted(tokensIn, tokensOut));
    }
  }

  /** Creates the messages of a round without an artifact. */
  public static RoundMessages of(List<SentMessage> messages) {
    return new RoundMessages(messages, null, 0, 0);
  }

  /** Returns a copy with the text of an artifact. */
  public RoundMessages withArtifact(@Nullable String newArtifact) {
    return new RoundMessages(messages, newArtifact, tokensIn, tokensOut);
  }
}
