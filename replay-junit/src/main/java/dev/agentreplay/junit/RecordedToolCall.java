package dev.agentreplay.junit;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A tool call in a log, with its result. {@link SessionAssert#toolCall(String)} finds it.
 * Immutable; safe for use by several threads.
 */
public final class RecordedToolCall {

  private final Session session;
  private final CanonicalJson canonical;
  private final int index;
  private final long line;
  private final ToolCall call;
  private final @Nullable Result result;

  /** A result where it stands. */
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

  /** The session that it is in. */
  public Session session() {
    return session;
  }

  /** Its number among the tool calls of the log, from 0. */
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

  /** The line of the result, from 1; null when there is no result. */
  public @Nullable Long resultLine() {
    return result == null ? null : result.line();
  }

  /** The result; null when there is none. */
  public @Nullable ToolResult result() {
    return result == null ? null : result.event();
  }

  /**
   * What the tool returned, also where that is kept beside the log. Null when there is no result,
   * and when only its hash was kept.
   *
   * @throws IOException as {@link Session#resolve} throws it
   */
  public @Nullable JsonValue output() throws IOException {
    return result == null ? null : session.resolve(result.event().output());
  }

  /** Whether two values are equal, as they are where sessions are compared. */
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

  /** What it is, for people. */
  String name() {
    return "call %s of %s".formatted(Shown.name(call.id()), Shown.name(call.tool()));
  }

  /** Where and what it is, on one line, for people. */
  @Override
  public String toString() {
    return "line %d: %s".formatted(line, name());
  }
}
