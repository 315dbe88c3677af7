package dev.agentreplay.engine.view;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A tool call in a log, with its result. Immutable and safe for use by several threads.
 *
 * @see SessionView#calls()
 */
public final class RecordedToolCall {

  private final Session session;
  private final CanonicalJson canonical;
  private final int index;
  private final Recorded<ToolCall> call;
  private final @Nullable Recorded<ToolResult> result;

  RecordedToolCall(
      Session session,
      CanonicalJson canonical,
      int index,
      Recorded<ToolCall> call,
      @Nullable Recorded<ToolResult> result) {
    this.session = session;
    this.canonical = canonical;
    this.index = index;
    this.call = call;
    this.result = result;
  }

  /** The session of the call. */
  public Session session() {
    return session;
  }

  /** The canonical form of values in the log: two values are equal if theirs are. */
  public CanonicalJson canonical() {
    return canonical;
  }

  /** The index of the call among the tool calls of the log, from 0. */
  public int index() {
    return index;
  }

  /** The line of the call, from 1. */
  public long line() {
    return call.line();
  }

  /** The call. */
  public ToolCall call() {
    return call.event();
  }

  /** The line of the result, from 1; null if there is no result. */
  public @Nullable Long resultLine() {
    return result == null ? null : result.line();
  }

  /** The result; null if there is none. */
  public @Nullable ToolResult result() {
    return result == null ? null : result.event();
  }

  /** Whether the call has a result that does not report a failure of the tool. */
  public boolean succeeded() {
    return result != null && result.event().succeeded();
  }

  /**
   * The parameters of the call, which may be stored in the log or as a blob next to it. Null if
   * only their hash was recorded, or if the blob is missing.
   *
   * @throws IOException if the blob cannot be read, or is not the recorded value, see
   *     {@link Session#resolve}
   */
  public @Nullable JsonValue params() throws IOException {
    return session.resolve(call().params());
  }

  /**
   * The output of the tool, which may be stored in the log or as a blob next to it. Null if there
   * is no result, if only the hash of the output was recorded, or if the blob is missing.
   *
   * @throws IOException if the blob cannot be read, or is not the recorded value, see
   *     {@link Session#resolve}
   */
  public @Nullable JsonValue output() throws IOException {
    return result == null ? null : session.resolve(result.event().output());
  }

  /** Returns the line, the id and the tool of the call. */
  @Override
  public String toString() {
    return "line %d: call %s of %s".formatted(line(), call().id(), call().tool());
  }
}
