package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * A call with its result, or an event that is neither: an entry of a lane. Not safe for use by
 * several threads.
 */
public final class Exchange {

  private final ExportedEvent begin;
  private final int occurrence;
  private @Nullable ExportedEvent end;

  /**
   * Creates an exchange without a result.
   *
   * @param begin the call, or an event that is not one
   * @param occurrence the number of earlier calls of the same kind with the same id
   */
  Exchange(ExportedEvent begin, int occurrence) {
    this.begin = begin;
    this.occurrence = occurrence;
  }

  void answer(ExportedEvent result) {
    end = result;
  }

  ExportedEvent begin() {
    return begin;
  }

  /** The result; null if there is none. */
  @Nullable
  ExportedEvent end() {
    return end;
  }

  int occurrence() {
    return occurrence;
  }

  boolean isTool() {
    return begin.event() instanceof ToolCall;
  }

  boolean isModel() {
    return begin.event() instanceof ModelCall;
  }

  ToolCall tool() {
    return (ToolCall) begin.event();
  }

  ModelCall model() {
    return (ModelCall) begin.event();
  }

  /** The result of a tool; null if there is none. */
  @Nullable
  ToolResult toolResult() {
    return end != null && end.event() instanceof ToolResult result ? result : null;
  }

  /** The result of a model; null if there is none. */
  @Nullable
  ModelResult modelResult() {
    return end != null && end.event() instanceof ModelResult result ? result : null;
  }

  /** Whether the call has no result before a line. */
  boolean isOpenAt(long line) {
    return end == null || end.line() > line;
  }
}
