package dev.agentreplay.engine.view;

import dev.agentreplay.engine.message.ModelMessage;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A model call in a log, with its result. Immutable and safe for use by several threads.
 *
 * @see SessionView#modelCalls()
 */
public final class RecordedModelCall {

  private final Session session;
  private final int index;
  private final Recorded<ModelCall> call;
  private final @Nullable Recorded<ModelResult> result;

  RecordedModelCall(
      Session session,
      int index,
      Recorded<ModelCall> call,
      @Nullable Recorded<ModelResult> result) {
    this.session = session;
    this.index = index;
    this.call = call;
    this.result = result;
  }

  /** The session of the call. */
  public Session session() {
    return session;
  }

  /** The index of the call among the model calls of the log, from 0. */
  public int index() {
    return index;
  }

  /** The line of the call, from 1. */
  public long line() {
    return call.line();
  }

  /**
   * The call. If its prompt is written as a change of an earlier one that the log holds, it has the
   * prompt in full.
   */
  public ModelCall call() {
    return call.event();
  }

  /** The line of the result, from 1; null if there is no result. */
  public @Nullable Long resultLine() {
    return result == null ? null : result.line();
  }

  /** The result; null if there is none. */
  public @Nullable ModelResult result() {
    return result == null ? null : result.event();
  }

  /** Whether the call has a result that does not report an error. */
  public boolean succeeded() {
    return result != null && result.event().succeeded();
  }

  /**
   * The prompt in full, which may be stored in the log or as a blob next to it. Null if only its
   * hash was recorded, if the blob is missing, or if it is a change of a prompt that the log does
   * not hold.
   *
   * @throws IOException if the blob cannot be read, or is not the recorded value, see
   *     {@link Session#resolve}
   */
  public @Nullable JsonValue prompt() throws IOException {
    return session.resolve(call().prompt());
  }

  /**
   * The answer, which may be stored in the log or as a blob next to it. Null if there is no result,
   * if only the hash of the answer was recorded, or if the blob is missing.
   *
   * @throws IOException if the blob cannot be read, or is not the recorded value, see
   *     {@link Session#resolve}
   */
  public @Nullable JsonValue answer() throws IOException {
    return result == null ? null : session.resolve(result.event().answer());
  }

  /**
   * The answer as a message: its texts, and the tools that the model asks for. Null where
   * {@link #answer} is.
   *
   * @throws IOException as {@link #answer}
   */
  public @Nullable ModelMessage message() throws IOException {
    JsonValue answer = answer();
    return answer == null ? null : ModelMessage.of(answer);
  }

  /** Returns the line, the id and the model of the call. */
  @Override
  public String toString() {
    return "line %d: call %s of %s".formatted(line(), call().id(), call().model());
  }
}
