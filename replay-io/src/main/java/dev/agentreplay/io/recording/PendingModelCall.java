package dev.agentreplay.io.recording;

import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Timing;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A model call that was recorded and waits for its answer. The time until the answer is its
 * latency. A call that never gets an answer stays in the log, unanswered. Safe for use by several
 * threads; only the first answer is recorded.
 *
 * <p>An answer that is streamed is recorded with the pieces in which it arrived:
 *
 * <pre>{@code
 * PendingModelCall asked = recorder.modelCall("gpt-5", "Which file?");
 * asked.chunk("src/");
 * asked.chunk("auth.rs");
 * asked.answer();
 * }</pre>
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

  /** Whether the call has an answer, or may have one. */
  boolean isAnswered() {
    return answer.isGiven();
  }

  /**
   * Adds a piece of a streamed answer, which arrives now. Nothing is written until the answer is
   * recorded; the text is kept in memory. A piece that arrives later is ignored, as after a
   * time-out.
   */
  public void chunk(String piece) {
    answer.chunk(piece);
  }

  /** Records the streamed text as the answer of the model. */
  public WrittenEvent answer() throws IOException {
    return answer(Completion.NONE, TokenCounts.NONE);
  }

  /**
   * Records the streamed text as the answer of the model, how it finished, and its token counts.
   */
  public WrittenEvent answer(Completion finish, TokenCounts tokens) throws IOException {
    answer.stream().finish();
    return answer(answer.stream().text(), finish, tokens);
  }

  /**
   * Records the answer of the model: a text, a message or any other value, converted as
   * {@link PendingCall#result(Object)} does, with the same exceptions. An answer that was streamed
   * has its pieces; it may be a value that contains the streamed text.
   *
   * @throws IllegalArgumentException also if the answer is a text of a different length than the
   *     one that was streamed
   */
  public WrittenEvent answer(@Nullable Object value) throws IOException {
    return answer(value, Completion.NONE, TokenCounts.NONE);
  }

  /** Records the answer of the model, how it finished, and its token counts. */
  public WrittenEvent answer(@Nullable Object value, Completion finish, TokenCounts tokens)
      throws IOException {
    long latencyMillis = answer.elapsedMillis();
    answer.stream().finish();
    return give(
        RecordedEvents.modelResult(id(), value).withFinish(finish).withTokens(tokens),
        latencyMillis);
  }

  /** Records that the call failed, as {@link #failed(Failure)} does. */
  public WrittenEvent failed(Throwable failure) throws IOException {
    return failed(Failure.of(failure));
  }

  /**
   * Records that the call failed. The answer is the part of the text that was streamed, or null if
   * there is none.
   */
  public WrittenEvent failed(Failure failure) throws IOException {
    long latencyMillis = answer.elapsedMillis();
    String part = answer.stream().finish() ? answer.stream().text() : null;
    return give(
        RecordedEvents.modelResult(id(), part).withFinish(Completion.failed(failure)),
        latencyMillis);
  }

  /** Records that the call was not answered in time, with the part that was streamed. */
  public WrittenEvent timedOut(String message) throws IOException {
    return failed(Failure.of(Failure.TIMEOUT, message));
  }

  /** Records that the call was cancelled, with the part that was streamed. */
  public WrittenEvent cancelled(String message) throws IOException {
    return failed(Failure.of(Failure.CANCELLED, message));
  }

  private WrittenEvent give(ModelResult result, long latencyMillis) throws IOException {
    Chunks chunks = answer.stream().chunksIn(result.answer().value());
    return answer.give(result.withTiming(new Timing(latencyMillis, chunks)));
  }
}
