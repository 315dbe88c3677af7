package dev.agentreplay.junit;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A tool call in a log, with its result. The actual value of the assertions that
 * {@link SessionAssert#toolCall(String)} returns. Immutable and safe for use by several threads.
 */
public final class RecordedToolCall {

  private final Session session;
  private final CanonicalJson canonical;
  private final int index;
  private final long line;
  private final ToolCall call;
  private final @Nullable Result result;

  /** A result with its line. */
  record Result(long line, ToolResult event) {}

  RecordedToolCall(
      Session session,
      CanonicalJson canonical,
      int index,
      long line,
      ToolCall call,
      @Nullable Result result) {
    this.session = session;
    this.canonical = canonical;
    this.index = index;
    this.line = line;
    this.call = call;
    this.result = result;
  }

  /** The session of the call. */
  public Session session() {
    return session;
  }

  /** The index of the call among the tool calls of the log, from 0. */
  public int index() {
    return index;
  }

  /** The line of the call, from 1. */
  public long line() {
    return line;
  }

  /** The call. */
  public ToolCall call() {
    return call;
  }

  /** The line of the result, from 1; null if there is no result. */
  public @Nullable Long resultLine() {
    return result == null ? null : result.line();
  }

  /** The result; null if there is none. */
  public @Nullable ToolResult result() {
    return result == null ? null : result.event();
  }

  /**
   * The parameters of the call, which may be stored in the log or as a blob next to it. Null if
   * only their hash was recorded, or if the blob is missing.
   *
   * @throws IOException if the blob cannot be read, or is not the recorded value, see
   *     {@link Session#resolve}
   */
  public @Nullable JsonValue params() throws IOException {
    return session.resolve(call.params());
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

  /** Whether two values have the same canonical JSON in the canonicalization of the log. */
  boolean areEqual(JsonValue one, JsonValue other) {
    return canonical(one).equals(canonical(other));
  }

  private String canonical(JsonValue value) {
    try {
      return canonical.text(value);
    } catch (IllegalArgumentException wouldBeRounded) {
      return CanonicalJson.SERDE.text(value);
    }
  }

  /** The name of the call in messages. */
  String name() {
    return "call %s of %s".formatted(Shown.name(call.id()), Shown.name(call.tool()));
  }

  /** Returns the line and the name of the call. */
  @Override
  public String toString() {
    return "line %d: %s".formatted(line, name());
  }
}
