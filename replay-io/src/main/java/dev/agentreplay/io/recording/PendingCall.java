package dev.agentreplay.io.recording;

import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tool call that was recorded and waits for its result. The time until the result is its latency.
 * A call that never gets a result stays in the log, unanswered. Safe for use by several threads;
 * only the first result is recorded.
 */
public final class PendingCall {

  private final AgentRecorder lane;
  private final SingleAnswer answer;
  private final ToolCall call;

  /** Whether the call is in the log; set once it was written. */
  volatile boolean isWritten;

  PendingCall(AgentRecorder lane, SingleAnswer answer, ToolCall call) {
    this.lane = lane;
    this.answer = answer;
    this.call = call;
  }

  /** The id of the call. */
  public String id() {
    return answer.id();
  }

  /**
   * The call, for example to decide what to do with one that was interrupted. A call that was
   * refused with {@link FailurePolicy#DEGRADE} has no parameters.
   */
  public ToolCall call() {
    return call;
  }

  /**
   * Whether the call is in the log; false only with {@link FailurePolicy#DEGRADE}. A tool whose
   * effect must not be caused twice is better not run then.
   */
  public boolean isWritten() {
    return isWritten;
  }

  /**
   * The id of the effect, which the tool passes to the system that it calls as an idempotency key.
   *
   * @throws IllegalStateException if the call was not recorded with {@link SessionRecorder#effect}
   */
  public String effectId() {
    return requireEffect();
  }

  /**
   * Records one more attempt to cause the effect of this call: a call with a new id, the same
   * parameters and the same {@link #effectId}. This call may have a result or not.
   *
   * @return the new attempt
   * @throws IllegalStateException if the call was not recorded with {@link SessionRecorder#effect}
   */
  public PendingCall retry() throws IOException {
    requireEffect();
    return lane.retry(call);
  }

  private String requireEffect() {
    String effectId = call.attempt().effectId();
    if (effectId == null) {
      throw new IllegalStateException(
          "call " + id() + " has no id of an effect: record it with effect() instead of call()");
    }
    return effectId;
  }

  /**
   * Runs the tool of this call, and records the returned value or the exception that it threw, as
   * {@link SessionRecorder#run(String, Object, Callable)} does. The tool may use this call
   * meanwhile: its {@link #effectId}, or {@link #chunk} for the pieces of an output that it
   * returns.
   *
   * <pre>{@code
   * PendingCall call = recorder.effect("charge", Map.of("cents", 1200));
   * String receipt = call.run(() -> "charged with the key " + call.effectId());
   * }</pre>
   *
   * <p>If the call gets a result while the tool runs, as from a watchdog that calls
   * {@link #timedOut}, that result stays, and the returned value is not recorded.
   *
   * @return the value that the tool returned
   * @throws IllegalStateException if the call has a result, or its tool was run already; the tool
   *     is not run then
   * @throws Exception the exception that the tool threw
   */
  public <T extends @Nullable Object> T run(Callable<T> body) throws Exception {
    return run(body, output -> output);
  }

  /**
   * Runs the tool of this call, as {@link #run(Callable)} does.
   *
   * @param toOutput returns the value to record for a result
   */
  public <T extends @Nullable Object> T run(
      Callable<T> body, Function<T, @Nullable Object> toOutput) throws Exception {
    answer.begin();
    return lane.run(this, body, toOutput);
  }

  /**
   * Records the value that the tool returned, converted as
   * {@link dev.agentreplay.model.json.JsonValue#of} does; a part that this cannot convert is
   * replaced by a text, as {@link dev.agentreplay.model.json.LenientJson} specifies, and marked in
   * the event.
   *
   * @throws IllegalStateException if the call already has a result, or, with
   *     {@link FailurePolicy#FAIL}, the session has ended
   * @throws IllegalArgumentException with {@link FailurePolicy#FAIL}, if the output is too large to
   *     be read again; the call may be answered again
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

  /**
   * Adds a piece of a streamed output, which arrives now. Nothing is written until the result is
   * recorded; the text is kept in memory. A piece that arrives later is ignored, as after a
   * time-out.
   */
  public void chunk(String piece) {
    answer.chunk(piece);
  }

  /** Records the streamed text as the output of the tool. */
  public WrittenEvent result() throws IOException {
    return streamed(Outcome.NONE);
  }

  /** Records the streamed text as the output of the tool, and its outcome. */
  public WrittenEvent streamed(Outcome outcome) throws IOException {
    answer.stream().finish();
    return result(answer.stream().text(), outcome);
  }

  /**
   * Records that the tool failed, as {@link #failed(Failure)} does. If the exception or one of its
   * causes is a time-out or an interruption, the effects of the call are unknown
   * ({@link Outcome#known}).
   */
  public WrittenEvent failed(Throwable failure) throws IOException {
    return unfinished(Outcome.failed(failure), Failure.message(failure));
  }

  /**
   * Records that the tool failed, for example with
   * {@code Failure.of(exception).withRetryable(true)}. The output is the part of the text that was
   * streamed, or, if there is none, the message of the failure.
   */
  public WrittenEvent failed(Failure failure) throws IOException {
    return unfinished(Outcome.failed(failure), failure.message());
  }

  /**
   * Records that the tool did not answer in time, so that its effects are unknown. The output is as
   * with {@link #failed(Failure)}.
   */
  public WrittenEvent timedOut(String message) throws IOException {
    return unfinished(Outcome.timedOut(message), message);
  }

  /**
   * Records that the tool was cancelled, so that its effects are unknown; {@link #result(Object,
   * Outcome)} records a cancellation before the tool began. The output is as with
   * {@link #failed(Failure)}.
   */
  public WrittenEvent cancelled(String message) throws IOException {
    return unfinished(Outcome.cancelled(message), message);
  }

  private WrittenEvent unfinished(Outcome outcome, @Nullable String message) throws IOException {
    long latencyMillis = elapsedMillis();
    String output = answer.stream().finish() ? answer.stream().text() : message;
    return answer(RecordedEvents.toolResult(id(), output)
        .withOutcome(outcome)
        .withLatencyMillis(latencyMillis));
  }

  /** The milliseconds since the call was recorded. */
  long elapsedMillis() {
    return answer.elapsedMillis();
  }

  /** The id of the agent that made the call; null if it is not stated. */
  @Nullable
  String agent() {
    return answer.agent();
  }

  /** Whether the call has a result, or may have one. */
  boolean isAnswered() {
    return answer.isGiven();
  }

  /** Records a result with the pieces that have arrived. */
  private WrittenEvent answer(ToolResult result) throws IOException {
    return give(withChunks(result));
  }

  /** The result with the pieces that have arrived, after which no other is added. */
  ToolResult withChunks(ToolResult result) {
    answer.stream().finish();
    Chunks chunks = answer.stream().chunksIn(result.output().value());
    return result.withTiming(result.timing().withChunks(chunks));
  }

  /** Records a result. */
  WrittenEvent give(ReplayEvent result) throws IOException {
    return answer.give(result);
  }
}
