package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.model.EventKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kind of a step. */
public enum StepKind {
  /** The start of the session: its task, policy and repository. */
  START(DivergenceKind.START),
  /** The settings of the session. */
  SETTINGS(DivergenceKind.SETTINGS),
  /** A plan. */
  PLAN(DivergenceKind.PLAN),
  /** A tool call with its result. */
  CALL(DivergenceKind.TOOL),
  /** A turn: a model call with its result. */
  TURN(DivergenceKind.PROMPT),
  /** The state of a file. */
  FILE_STATE(DivergenceKind.FILE_STATE),
  /** Commands that were run to verify the work. */
  VERIFICATION(DivergenceKind.VERIFICATION),
  /** A step of the plan that is done. */
  STEP(DivergenceKind.STEP),
  /** A payment. */
  PAYMENT(DivergenceKind.PAYMENT),
  /** An event of the runtime. */
  RUNTIME_EVENT(DivergenceKind.RUNTIME_EVENT),
  /** The recorded value of a clock or a random generator; only compared in a strict comparison. */
  RECORDED_VALUE(DivergenceKind.OTHER),
  /** The end of the session. */
  END(DivergenceKind.END),
  /**
   * An event of a type that this version does not know, a gap in the recording, or a result without
   * a call.
   */
  OTHER(DivergenceKind.OTHER);

  private final DivergenceKind subject;

  StepKind(DivergenceKind subject) {
    this.subject = subject;
  }

  /** The kind of step that an event is or is part of; null for events that are never compared. */
  public static @Nullable StepKind of(EventKind event) {
    return switch (event) {
      case SESSION_START -> START;
      case SETTINGS -> SETTINGS;
      case PLAN_START -> PLAN;
      case TOOL_CALL, TOOL_RESULT -> CALL;
      case MODEL_CALL, MODEL_RESULT -> TURN;
      case FILE_STATE -> FILE_STATE;
      case VERIFICATION -> VERIFICATION;
      case STEP_COMPLETE -> STEP;
      case PAYMENT -> PAYMENT;
      case RUNTIME_EVENT -> RUNTIME_EVENT;
      case RECORDED_VALUE -> RECORDED_VALUE;
      case SESSION_END -> END;
      case RECORDING_GAP, UNKNOWN -> OTHER;
      case REPLAY_HEADER, CHECKPOINT, LOG_SEGMENT -> null;
    };
  }

  /** The kind of the divergence of two steps that differ in a member of this role. */
  DivergenceKind divergence(EventMember.Role role) {
    return switch (role) {
      case SUBJECT -> subject;
      case INPUT -> this == CALL ? DivergenceKind.PARAMS : subject;
      case OUTPUT -> this == CALL ? DivergenceKind.OUTPUT : DivergenceKind.RESPONSE;
      case OUTCOME -> DivergenceKind.OUTCOME;
      case ASSESSMENT -> DivergenceKind.ASSESSMENT;
      case IDENTITY -> DivergenceKind.IDENTITY;
      case CLOCK -> DivergenceKind.TIMING;
      case NONE -> DivergenceKind.OTHER;
    };
  }

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
