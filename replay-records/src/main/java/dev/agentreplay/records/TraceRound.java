package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A round of a session.
 *
 * @param roundNumber its number, from 0
 * @param startedAt when it began
 * @param endedAt when it ended
 * @param messages its messages
 * @param compiledArtifactHash the hash of the artifact that was compiled after it
 * @param durationMillis how long it took, in milliseconds, not negative
 * @param extra members that no component holds
 */
public record TraceRound(
    long roundNumber,
    RecordTime startedAt,
    @Nullable RecordTime endedAt,
    List<TraceMessage> messages,
    @Nullable RecordHash compiledArtifactHash,
    @Nullable Long durationMillis,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null and copies. */
  public TraceRound {
    Objects.requireNonNull(startedAt, "startedAt");
    messages = List.copyOf(messages);
    Objects.requireNonNull(extra, "extra");
  }

  /** A round that is not known to have ended. */
  public static TraceRound of(long roundNumber, RecordTime startedAt, List<TraceMessage> messages) {
    return new TraceRound(roundNumber, startedAt, null, messages, null, null, JsonObject.EMPTY);
  }

  /** With another end. */
  public TraceRound withEndedAt(@Nullable RecordTime newEndedAt) {
    return new TraceRound(
        roundNumber, startedAt, newEndedAt, messages, compiledArtifactHash, durationMillis, extra);
  }

  /** With another artifact. */
  public TraceRound withCompiledArtifactHash(@Nullable RecordHash newHash) {
    return new TraceRound(
        roundNumber, startedAt, endedAt, messages, newHash, durationMillis, extra);
  }

  /** With another duration, in milliseconds. */
  public TraceRound withDurationMillis(@Nullable Long newMillis) {
    return new TraceRound(
        roundNumber, startedAt, endedAt, messages, compiledArtifactHash, newMillis, extra);
  }
}
