package dev.agentreplay.engine.diff;

/**
 * The kind of the difference between two steps. A divergence of steps that differ in several ways
 * has the kind that comes first in this order.
 */
public enum DivergenceKind {
  /** A step of the left session is missing from the right one. */
  MISSING,
  /** A step of the right session is missing from the left one. */
  ADDED,
  /** Steps are in a different order. */
  MOVED,
  /** A different tool is called. */
  TOOL,
  /** The tool is called with different parameters. */
  PARAMS,
  /** The model, the prompt or the parameters of a model call are different. */
  PROMPT,
  /**
   * A call, a model call, a step of the plan or a verification succeeds in one session and fails in
   * the other, or fails differently.
   */
  OUTCOME,
  /** The same call returns a different output or has different side effects. */
  OUTPUT,
  /** The answer of the model is different. */
  RESPONSE,
  /** The state of a file is different. */
  FILE_STATE,
  /** The commands, working directory or test counts of a verification are different. */
  VERIFICATION,
  /** A step of the plan was completed differently. */
  STEP,
  /** The plan is different. */
  PLAN,
  /** The session was started with a different task, policy or repository. */
  START,
  /** The settings are different. */
  SETTINGS,
  /** The payment is different. */
  PAYMENT,
  /** The runtime event is different. */
  RUNTIME_EVENT,
  /** The session ended differently. */
  END,
  /**
   * The assessment of the step is different: its utility or token counts, or the confidence or
   * summary of the end.
   */
  ASSESSMENT,
  /** Members or events that this version does not know are different. */
  OTHER,
  /**
   * Ids, or recorded values of clocks and random generators, are different; only in a strict
   * comparison.
   */
  IDENTITY,
  /** Times or latencies are different; only in a strict comparison. */
  TIMING,
  /**
   * A published copy withholds values of the step, or shows only replacements of them, so that they
   * cannot be compared. Everything that both sessions show is equal.
   */
  WITHHELD;

  /** The text of the constant in JSON and in reports. */
  public String id() {
    return name();
  }
}
