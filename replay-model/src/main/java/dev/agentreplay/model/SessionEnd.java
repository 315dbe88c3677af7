package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session ends.
 *
 * @param status how it ended
 * @param confidence how sure the agent is of its work, from 0.0 to 1.0
 * @param totalToolCalls the number of {@link ToolCall} events
 * @param totalLatencyMillis the sum of the latencies of the {@link ToolResult} events
 * @param summary what was done
 * @param errorMessage what went wrong
 * @param meta what every event has
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

  /** The end of a session. */
  public static SessionEnd of(Status status) {
    return new SessionEnd(status, null, null, null, null, null, Meta.NONE);
  }

  /** With a confidence, from 0.0 to 1.0. */
  public SessionEnd withConfidence(@Nullable Double newConfidence) {
    return new SessionEnd(
        status, newConfidence, totalToolCalls, totalLatencyMillis, summary, errorMessage, meta);
  }

  /** With what was done. */
  public SessionEnd withSummary(@Nullable String newSummary) {
    return new SessionEnd(
        status, confidence, totalToolCalls, totalLatencyMillis, newSummary, errorMessage, meta);
  }

  /** With what went wrong. */
  public SessionEnd withErrorMessage(@Nullable String newErrorMessage) {
    return new SessionEnd(
        status, confidence, totalToolCalls, totalLatencyMillis, summary, newErrorMessage, meta);
  }

  /** With totals over the session. */
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
