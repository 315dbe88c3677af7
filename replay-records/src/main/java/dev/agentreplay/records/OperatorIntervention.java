package dev.agentreplay.records;

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
 *     {@code tags}, an array of text, and {@code notes}, a text, which are checked
 */
public record OperatorIntervention(
    String id,
    String sessionId,
    RecordTime timestamp,
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
      boolean reversible, @Nullable RecordTime reversedAt, @Nullable String reversedBy) {

    /** It can be taken back, and was not. */
    public static final Reversal POSSIBLE = new Reversal(true, null, null);

    /** It cannot be taken back. */
    public static final Reversal IMPOSSIBLE = new Reversal(false, null, null);

    /** It was taken back. */
    public static Reversal done(RecordTime reversedAt, String reversedBy) {
      return new Reversal(true, reversedAt, reversedBy);
    }
  }

  /**
   * The id of an intervention: {@code INT-<session>-<number>}, the number with three digits at
   * least. The caller counts; nothing keeps two processes from the same number. Of a session id
   * with other characters than letters, digits, {@code _}, {@code .} and {@code -}, and of a number
   * with more than three digits, it has not the form that an intervention's id must have.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public static String createId(String sessionId, int number) {
    if (number < 0) {
      throw new IllegalArgumentException("number must not be negative: " + number);
    }
    String digits = Integer.toString(number);
    return "INT-" + sessionId + "-" + "0".repeat(Math.max(0, 3 - digits.length())) + digits;
  }

  /** Checks for null. */
  public OperatorIntervention {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(sessionId, "sessionId");
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
  public OperatorIntervention withSessionId(String newSessionId) {
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
