package dev.agentreplay.io.recording;

import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tool call that was recorded and waits for its result. The time until the result is its latency.
 * A call that never gets a result stays in the log, unanswered. Safe for use by several threads;
 * only the first result is recorded.
 */
public final class PendingCall {

  private final SingleAnswer answer;

  PendingCall(SingleAnswer answer) {
    this.answer = answer;
  }

  /** The id of the call. */
  public String id() {
    return answer.id();
  }

  /**
   * Records the value that the tool returned, converted as
   * {@link dev.agentreplay.model.json.JsonValue#of} does; a part that this cannot convert is
   * replaced by a text, as {@link dev.agentreplay.model.json.LenientJson} specifies, and marked in
   * the event.
   *
   * @throws IllegalStateException if the call already has a result, or the session has ended
   * @throws IllegalArgumentException if the output is too large to be read again; the call may be
   *     answered again
   * @throws ReplayWriteException if it could not be written; the call may be answered again if the
   *     exception is {@linkplain ReplayWriteException#isRetryable retryable}
   */
  public WrittenEvent result(@Nullable Object output) throws IOException {
    return result(output, Outcome.NONE, null, List.of());
  }

  /** Records the value that the tool returned, and its outcome. */
  public WrittenEvent result(@Nullable Object output, Outcome outcome) throws IOException {
    return result(output, outcome, null, List.of());
  }

  /**
   * Records the value that the tool returned, its outcome, the usefulness of the call, and its side
   * effects.
   *
   * @param stepUtility the usefulness of the call, from -1.0 to 1.0
   */
  public WrittenEvent result(
      @Nullable Object output,
      Outcome outcome,
      @Nullable Double stepUtility,
      List<SideEffect> sideEffects)
      throws IOException {
    long latencyMillis = elapsedMillis();
    return answer(RecordedEvents.toolResult(id(), output)
        .withOutcome(outcome)
        .withStepUtility(stepUtility)
        .withLatencyMillis(latencyMillis)
        .withSideEffects(sideEffects));
  }

  /** Records that the tool failed; its output is the message of the exception. */
  public WrittenEvent failed(Throwable failure) throws IOException {
    long latencyMillis = elapsedMillis();
    String message = RecordedEvents.text(SingleAnswer.message(failure));
    return answer(RecordedEvents.toolResult(id(), SingleAnswer.message(failure))
        .withOutcome(Outcome.failed(failure.getClass().getName(), message))
        .withLatencyMillis(latencyMillis));
  }

  /** The milliseconds since the call was recorded. */
  long elapsedMillis() {
    return answer.elapsedMillis();
  }

  /** Records a result. */
  WrittenEvent answer(ToolResult result) throws IOException {
    return answer.give(result);
  }
}
