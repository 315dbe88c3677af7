package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of a session.
 *
 * @param status the status of the session
 * @param confidence the agent's confidence in its work, from 0.0 to 1.0
 * @param totalToolCalls the number of {@link ToolCall} events
 * @param totalLatencyMillis the sum of the latencies of the {@link ToolResult} events, in
 *     milliseconds
 * @param summary a summary of the work
 * @param errorMessage the message of the error that ended the session
 * @param meta the data common to all events
 */
public record SessionEnd(
    Status status,
    @Nullable Double confidence,
    @Nullable Long totalToolCalls,
    @Nullable Long totalLatencyMillis,
    @Nullable String summary,
    @Nullable String errorMessage,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public SessionEnd {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the end of a session. */
  public static SessionEnd of(Status status) {
    return new SessionEnd(status, null, null, null, null, null, Meta.NONE);
  }

  /** Returns a copy with the given confidence, from 0.0 to 1.0. */
  public SessionEnd withConfidence(@Nullable Double newConfidence) {
    return new SessionEnd(
        status, newConfidence, totalToolCalls, totalLatencyMillis, summary, errorMessage, meta);
  }

  /** Returns a copy with the given summary. */
  public SessionEnd withSummary(@Nullable String newSummary) {
    return new SessionEnd(
        status, confidence, totalToolCalls, totalLatencyMillis, newSummary, errorMessage, meta);
  }

  /** Returns a copy with the given error message. */
  public SessionEnd withErrorMessage(@Nullable String newErrorMessage) {
    return new SessionEnd(
        status, confidence, totalToolCalls, totalLatencyMillis, summary, newErrorMessage, meta);
  }

  /** Returns a copy with the given totals of the session; the latency is in milliseconds. */
  public SessionEnd withTotals(long toolCalls, long latencyMillis) {
    return new SessionEnd(
        status, confidence, toolCalls, latencyMillis, summary, errorMessage, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.SESSION_END;
  }

  @Override
  public Boolean succeeded() {
    return status.isSuccess();
  }

  @Override
  public SessionEnd withMeta(Meta newMeta) {
    return new SessionEnd(
        status, confidence, totalToolCalls, totalLatencyMillis, summary, errorMessage, newMeta);
  }
}
