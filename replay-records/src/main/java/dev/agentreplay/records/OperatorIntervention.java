package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An intervention of a human operator in a running session, with its reason.
 *
 * @param id the id of the intervention: {@code INT-}, the session, {@code -}, three digits; or
 *     {@code INT} and digits
 * @param sessionId the id of the session, not empty
 * @param timestamp the time of the intervention
 * @param operatorId the id of the operator, not empty
 * @param type the type of the intervention
 * @param severity the severity of the intervention
 * @param target the target of the intervention
 * @param stateChange the state before and after the intervention
 * @param rationale the reason, in at least 10 characters (UTF-16 code units)
 * @param reversal the state of its reversal
 * @param extra members without a component; {@code session_control_action}, {@code tags} (an array
 *     of text) and {@code notes} (a text) are checked
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
   * The state of the reversal of an intervention.
   *
   * @param reversible whether the intervention can be reversed; the default is true
   * @param reversedAt the time at which it was reversed; null when it was not
   * @param reversedBy the operator who reversed it; null when it was not reversed
   */
  public record Reversal(
      boolean reversible, @Nullable RecordTime reversedAt, @Nullable String reversedBy) {

    /** The intervention can be reversed, and was not. */
    public static final Reversal POSSIBLE = new Reversal(true, null, null);

    /** The intervention cannot be reversed. */
    public static final Reversal IMPOSSIBLE = new Reversal(false, null, null);

    /** Creates the state of an intervention that was reversed. */
    public static Reversal done(RecordTime reversedAt, String reversedBy) {
      return new Reversal(true, reversedAt, reversedBy);
    }
  }

  /**
   * Creates the id of an intervention: {@code INT-<session>-<number>}, with at least three digits.
   * The caller counts the interventions and must avoid duplicate numbers. The id does not have the
   * form that the specification requires if the session id has characters other than letters,
   * digits, {@code _}, {@code .} and {@code -}, or does not begin with a letter or digit, or if the
   * number has more than three digits.
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

  /** Returns a copy with the given id of a session. */
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

  /** Returns a copy with the given change of state. */
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

  /** Returns a copy with the given state of its reversal. */
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

  /** The type of an intervention. */
  public enum Type implements RecordConstant {
    /** Edited the compiled artifact. */
    ARTIFACT_EDIT,
    /** Excluded a delta from the artifact. */
    DELTA_EXCLUSION,
    /** Added a delta that no agent sent. */
    DELTA_INJECTION,
    /** Overrode a decision of the protocol. */
    DECISION_OVERRIDE,
    /** Ended, forked, paused or reset the session. */
    SESSION_CONTROL,
    /** Changed the roles of agents. */
    ROLE_REASSIGNMENT
  }

  /** The severity of an intervention, in ascending order. */
  public enum Severity implements RecordConstant {
    /** A change of spelling or layout. */
    MINOR,
    /** A small edit, or an excluded delta. */
    MODERATE,
    /** A removed hypothesis, an added test, a changed role. */
    MAJOR,
    /** An early end of the session, or a bypassed protocol. */
    CRITICAL;

    private static final String HYPOTHESIS = "hypothesis";

    /**
     * Returns the severity of an intervention by its type and target: session control is critical;
     * a changed role or decision is major, and so is an edited or injected hypothesis; any other
     * edited item and an excluded delta are moderate; everything else is minor.
     *
     * @param target the target, whose item type decides
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

    /** Whether the severity is major or critical. */
    public boolean isMajor() {
      return compareTo(MAJOR) >= 0;
    }
  }

  /**
   * The target of an intervention.
   *
   * @param messageId the number of the message, positive
   * @param artifactVersion the version of the artifact, not negative
   * @param itemId the id of the item of the artifact, such as a hypothesis
   * @param itemType the type of that item: {@code hypothesis}, {@code test}, {@code prediction},
   *     {@code assumption}, {@code anomaly}, {@code critique} or {@code research_thread}
   * @param agentName the name of the agent
   * @param role the role of the agent
   * @param extra members without a component
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

    /** Creates the target of a message. */
    public static Target message(long messageId) {
      return new Target(messageId, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** Creates the target of an item of the artifact. */
    public static Target item(String itemId, String itemType) {
      return new Target(null, null, itemId, itemType, null, null, JsonObject.EMPTY);
    }

    /** Creates the target of an agent with its previous or new role. */
    public static Target agent(String agentName, String role) {
      return new Target(null, null, null, null, agentName, role, JsonObject.EMPTY);
    }
  }

  /**
   * The change of state by an intervention.
   *
   * @param before the state before the intervention: JSON text, or a description
   * @param after the state after the intervention
   * @param beforeHash the hash of the state before the intervention
   * @param afterHash the hash of the state after the intervention
   * @param extra members without a component
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
     * Creates the change from one state to another, with the hashes of both.
     *
     * @throws IllegalArgumentException if a text has a lone surrogate, and therefore no UTF-8 form
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
