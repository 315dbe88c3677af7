package dev.agentreplay.io;

import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A tool call that was recorded and waits for its result. The time between is its latency. A call
 * that never gets a result stays in the log as it is: unanswered. Safe for use by several threads;
 * the first of them to give a result does.
 */
public final class RecordedCall {

  private final SessionRecorder session;
  private final String id;
  private final long startedNanos = System.nanoTime();
  private final ReentrantLock lock = new ReentrantLock();
  private boolean answered;

  RecordedCall(SessionRecorder session, String id) {
    this.session = session;
    this.id = id;
  }

  /** The id of the call. */
  public String id() {
    return id;
  }

  /**
   * Records what the tool returned, converted as by
   * {@link dev.agentreplay.model.json.JsonValue#of}.
   *
   * @throws IllegalStateException if the call has a result already
   * @throws IllegalArgumentException if the output has no JSON form; the call may be answered again
   * @throws ReplayWriteException if it could not be written; the call may be answered again, if
   *     that {@linkplain ReplayWriteException#isRetryable makes sense}
   */
  public @Nullable WrittenEvent result(@Nullable Object output) throws IOException {
    return result(output, Outcome.UNSTATED, null, List.of());
  }

  /** Records what the tool returned, and how it ended. */
  public @Nullable WrittenEvent result(@Nullable Object output, Outcome outcome)
      throws IOException {
    return result(output, outcome, null, List.of());
  }

  /**
   * Records what the tool returned, how it ended, how much it helped, and what it did to the world.
   *
   * @param stepUtility from -1.0 to 1.0
   */
  public @Nullable WrittenEvent result(
      @Nullable Object output,
      Outcome outcome,
      @Nullable Double stepUtility,
      List<SideEffect> sideEffects)
      throws IOException {
    long latencyMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
    ToolResult result = ToolResult.of(id, output)
        .withOutcome(outcome)
        .withStepUtility(stepUtility)
        .withLatencyMillis(latencyMillis)
        .withSideEffects(sideEffects);
    lock.lock();
    try {
      if (answered) {
        throw new IllegalStateException("call " + id + " has a result already");
      }
      @Nullable WrittenEvent written = session.emit(result);
      answered = true;
      return written;
    } catch (ReplayWriteException e) {
      answered = e.isUndetermined();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Records that the tool failed; its output is the message of the failure. */
  public @Nullable WrittenEvent failed(Throwable failure) throws IOException {
    // a message that was cut in the middle of a character has no UTF-8 form; it gets a '?' there
    String said = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    String message = new String(said.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    return result(message, Outcome.failed(failure.getClass().getName(), message));
  }
}
