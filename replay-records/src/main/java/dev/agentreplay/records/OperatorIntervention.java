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
    Type type,
    Severity severity,
    Target target,
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

  /** What an operator did to a session. */
  public enum Type implements RecordConstant {
    /** Edited the compiled artifact. */
    ARTIFACT_EDIT,
    /** Left a delta out of the artifact. */
    DELTA_EXCLUSION,
    /** Added a delta that is no agent's. */
    DELTA_INJECTION,
    /** Decided otherwise than the protocol. */
    DECISION_OVERRIDE,
    /** Ended, forked, paused or reset the session. */
    SESSION_CONTROL,
    /** Changed which agent plays which role. */
    ROLE_REASSIGNMENT
  }

  /** How much an intervention changed, from least to most. */
  public enum Severity implements RecordConstant {
    /** Spelling and layout. */
    MINOR,
    /** A small edit, or a delta left out. */
    MODERATE,
    /** A hypothesis removed, a test added, a role changed. */
    MAJOR,
    /** The session ended early, or its protocol passed over. */
    CRITICAL;

    private static final String HYPOTHESIS = "hypothesis";

    /**
     * The severity of an intervention by its type and target: session control is critical; a
     * changed role or decision is major, and so is a hypothesis that was edited or injected;
     * another item that was edited, or a delta that was left out, is moderate; everything else is
     * minor.
     *
     * @param target what it was done to, of which the kind of item counts
     */
    public static Severity of(Type type, Target target) {
      String itemType = target.itemType();
      boolean isHypothesis = HYPOTHESIS.equals(itemType);
      return switch (type) {
        case SESSION_CONTROL -> CRITICAL;
        case ROLE_REASSIGNMENT, DECISION_OVERRIDE -> MAJOR;
        case DELTA_EXCLUSION -> MODERATE;
        case DELTA_INJECTION -> isHypothesis ? MAJOR : MINOR;
        case ARTIFACT_EDIT ->
          isHypothesis ? MAJOR : itemType == null || itemType.isEmpty() ? MINOR : MODERATE;
      };
    }

    /** Whether it is major or worse. */
    public boolean isMajor() {
      return compareTo(MAJOR) >= 0;
    }
  }

  /**
   * What an operator intervened in, as far as it is said.
   *
   * @param messageId the number of a message, positive
   * @param artifactVersion the version of the artifact, not negative
   * @param itemId the id of an item of the artifact, such as a hypothesis
   * @param itemType the kind of that item: {@code hypothesis}, {@code test}, {@code prediction},
   *     {@code assumption}, {@code anomaly}, {@code critique} or {@code research_thread}
   * @param agentName the name of an agent
   * @param role a role
   * @param extra members that no component holds
   */
  public record Target(
      @Nullable Long messageId,
      @Nullable Long artifactVersion,
      @Nullable String itemId,
      @Nullable String itemType,
      @Nullable String agentName,
      @Nullable String role,
      JsonObject extra)
      implements RecordObject {

    /** The session as a whole. */
    public static final Target SESSION =
        new Target(null, null, null, null, null, null, JsonObject.EMPTY);

    /** Checks for null. */
    public Target {
      Objects.requireNonNull(extra, "extra");
    }

    /** A message. */
    public static Target message(long messageId) {
      return new Target(messageId, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** An item of the artifact. */
    public static Target item(String itemId, String itemType) {
      return new Target(null, null, itemId, itemType, null, null, JsonObject.EMPTY);
    }

    /** An agent, and the role that it had or gets. */
    public static Target agent(String agentName, String role) {
      return new Target(null, null, null, null, agentName, role, JsonObject.EMPTY);
    }
  }

  /**
   * What an intervention changed.
   *
   * @param before the state before it: JSON text, or a description
   * @param after the state after it
   * @param beforeHash the hash of the state before it
   * @param afterHash the hash of the state after it
   * @param extra members that no component holds
   */
  public record StateChange(
      @Nullable String before,
      @Nullable String after,
      @Nullable RecordHash beforeHash,
      @Nullable RecordHash afterHash,
      JsonObject extra)
      implements RecordObject {

    /** Checks for null. */
    public StateChange {
      Objects.requireNonNull(extra, "extra");
    }

    /**
     * The change from one state to another, with the hashes of both.
     *
     * @throws IllegalArgumentException if a text holds a lone surrogate, and so has no UTF-8 form
     */
    public static StateChange of(String before, String after) {
      return new StateChange(
          before,
          after,
          RecordHash.ofContent(before),
          RecordHash.ofContent(after),
          JsonObject.EMPTY);
    }
  }
}
