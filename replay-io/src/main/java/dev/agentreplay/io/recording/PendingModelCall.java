package dev.agentreplay.io.recording;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A model call that was recorded and waits for its answer. The time between is its latency. A call
 * that never gets an answer stays in the log as it is: unanswered. Safe for use by several threads;
 * the first of them to give an answer does.
 */
public final class PendingModelCall {

  private final SingleAnswer answer;

  PendingModelCall(SingleAnswer answer) {
    this.answer = answer;
  }

  /** The id of the call. */
  public String id() {
    return answer.id();
  }

  /**
   * Records what the model answered: a text, a message or any other value, converted as
   * {@link PendingCall#result(Object)} does, and failing as it does.
   */
  public WrittenEvent answer(@Nullable Object value) throws IOException {
    return answer(value, Completion.NONE, TokenCounts.NONE);
  }

  /** Records what the model answered, how the answer ended, and its number of tokens. */
  public WrittenEvent answer(@Nullable Object value, Completion finish, TokenCounts tokens)
      throws IOException {
    long latencyMillis = answer.elapsedMillis();
    return answer.give(RecordedEvents.modelResult(id(), value)
        .withFinish(finish)
        .withTokens(tokens)
        .withLatencyMillis(latencyMillis));
  }

  /** Records that the call failed; its answer is null, and it ended as the failure says. */
  public WrittenEvent failed(Throwable failure) throws IOException {
    long latencyMillis = answer.elapsedMillis();
    String message = RecordedEvents.text(SingleAnswer.message(failure));
    return answer.give(ModelResult.of(id(), null)
        .withFinish(Completion.failed(failure.getClass().getName(), message))
        .withLatencyMillis(latencyMillis));
  }
}
