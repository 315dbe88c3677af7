package dev.agentreplay.engine.diff;

import java.util.Locale;

/** What a step of a session is. */
public enum StepKind {
  /** What the session was started for: its task, policy, repository. */
  START,
  /** The settings it runs under. */
  SETTINGS,
  /** A plan. */
  PLAN,
  /** A tool call with its result. */
  CALL,
  /** A turn of the model: a prompt with its answer. */
  TURN,
  /** The state of a file. */
  FILE_STATE,
  /** Commands that were run to verify the work. */
  VERIFICATION,
  /** A step of the plan that is done. */
  STEP,
  /** A payment. */
  PAYMENT,
  /** An event of the runtime. */
  RUNTIME_EVENT,
  /**
   * What a clock or a source of random numbers gave; only looked at when a comparison is strict.
   */
  RECORDED_VALUE,
  /** How the session ended. */
  END,
  /** An event of a type that this version does not know. */
  OTHER;

  /** The text of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
