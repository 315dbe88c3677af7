package dev.agentreplay.model.record;

import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that an operator did to a session while it ran, and why.
 *
 * @param id its id: {@code INT-}, the session, {@code -}, three digits; or {@code INT} and digits
 * @param sessionId the session, not empty
 * @param timestamp when it was
 * @param operatorId who did it, not empty
 * @param type what was done
 * @param severity how much that changed
 * @param target what it was done to
 * @param stateChange what it changed
 * @param rationale why, in at least 10 characters (UTF-16 code units)
 * @param reversal whether it can be taken back, and was
 * @param extra members that no component holds, among them {@code session_control_action},
 *     {@code tags} and {@code notes}
 */
public record OperatorIntervention(
    String id,
    @Nullable String sessionId,
    Timestamp timestamp,
    String operatorId,
    InterventionType type,
    InterventionSeverity severity,
    InterventionTarget target,
    @Nullable StateChange stateChange,
    String rationale,
    Reversal reversal,
    JsonObject extra)
    implements RecordObject {

  /**
   * Whether an intervention can be taken back, and was.
   *
   * @param reversible whether it can; where that is not said, it can
   * @param reversedAt when it was
   * @param reversedBy by whom
   */
  public record Reversal(
      boolean reversible, @Nullable Timestamp reversedAt, @Nullable String reversedBy) {

    /** It can be taken back, and was not. */
    public static final Reversal POSSIBLE = new Reversal(true, null, null);

    /** It cannot be taken back. */
    public static final Reversal IMPOSSIBLE = new Reversal(false, null, null);

    /** It was taken back. */
    public static Reversal done(Timestamp reversedAt, String reversedBy) {
      return new Reversal(true, reversedAt, reversedBy);
    }
  }

  /** Checks for null. */
  public OperatorIntervention {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(timestamp, "timestamp");
    Objects.requireNonNull(operatorId, "operatorId");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(rationale, "rationale");
    Objects.requireNonNull(reversal, "reversal");
    Objects.requireNonNull(extra, "extra");
  }

  /** With another session. */
  public OperatorIntervention withSessionId(@Nullable String newSessionId) {
    return new OperatorIntervention(
        id,
        newSessionId,
        timestamp,
        operatorId,
        type,
        severity,
        target,
        stateChange,
        rationale,
        reversal,
        extra);
  }

  /** With another change of state. */
  public OperatorIntervention withStateChange(@Nullable StateChange newStateChange) {
    return new OperatorIntervention(
        id,
        sessionId,
        timestamp,
        operatorId,
        type,
        severity,
        target,
        newStateChange,
        rationale,
        reversal,
        extra);
  }

  /** Taken back, or not. */
  public OperatorIntervention withReversal(Reversal newReversal) {
    return new OperatorIntervention(
        id,
        sessionId,
        timestamp,
        operatorId,
        type,
        severity,
        target,
        stateChange,
        rationale,
        newReversal,
        extra);
  }
}
