package dev.agentreplay.io.recording;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A model call that was recorded and waits for its answer. The time until the answer is its
 * latency. A call that never gets an answer stays in the log, unanswered. Safe for use by several
 * threads; only the first answer is recorded.
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
   * Records the answer of the model: a text, a message or any other value, converted as
   * {@link PendingCall#result(Object)} does, with the same exceptions.
   */
  public WrittenEvent answer(@Nullable Object value) throws IOException {
    return answer(value, Completion.NONE, TokenCounts.NONE);
  }

  /** Records the answer of the model, how it finished, and its token counts. */
  public WrittenEvent answer(@Nullable Object value, Completion finish, TokenCounts tokens)
      throws IOException {
    long latencyMillis = answer.elapsedMillis();
    return answer.give(RecordedEvents.modelResult(id(), value)
        .withFinish(finish)
        .withTokens(tokens)
        .withLatencyMillis(latencyMillis));
  }

  /**
   * Records that the call failed: the answer is null, and the error has the class and the message
   * of the exception.
   */
  public WrittenEvent failed(Throwable failure) throws IOException {
    long latencyMillis = answer.elapsedMillis();
    String message = RecordedEvents.text(SingleAnswer.message(failure));
    return answer.give(ModelResult.of(id(), null)
        .withFinish(Completion.failed(failure.getClass().getName(), message))
        .withLatencyMillis(latencyMillis));
  }
}
