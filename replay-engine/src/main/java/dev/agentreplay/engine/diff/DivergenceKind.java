package dev.agentreplay.engine.diff;

/**
 * How two steps differ. Of a step that differs in several ways the divergence is of the kind that
 * comes first here.
 */
public enum DivergenceKind {
  /** A step of the left session is not in the right one. */
  MISSING,
  /** A step of the right session is not in the left one. */
  ADDED,
  /** Steps stand in another order. */
  MOVED,
  /** Another tool is called. */
  TOOL,
  /** The tool is called with other parameters. */
  PARAMS,
  /** The model is asked something else, or another model is asked. */
  PROMPT,
  /** The same call succeeds in one session and fails in the other, or fails in another way. */
  OUTCOME,
  /** The same call returns something else. */
  OUTPUT,
  /** The model answers something else. */
  RESPONSE,
  /** A file has another state. */
  FILE_STATE,
  /** Another command verified the work, or had another result. */
  VERIFICATION,
  /** A step of the plan went otherwise. */
  STEP,
  /** The plan is another one. */
  PLAN,
  /** The session was started for something else. */
  START,
  /** The settings are others. */
  SETTINGS,
  /** Another payment was made. */
  PAYMENT,
  /** Another event of the runtime. */
  RUNTIME_EVENT,
  /** The session ended otherwise. */
  END,
  /** The step is assessed otherwise: its utility, its tokens. */
  ASSESSMENT,
  /** Members or events that this version does not know. */
  OTHER,
  /** Other ids; only looked at when a comparison is strict. */
  IDENTITY,
  /** Another time or latency; only looked at when a comparison is strict. */
  TIMING;

  /** The text of the constant in JSON and in reports. */
  public String id() {
    return name();
  }
}
