package dev.agentreplay.engine.exchange;

import java.util.Locale;

/** The reason why no recorded exchange matches a request. */
public enum MissKind {
  /** The recording has no exchange of this tool, or no model call, in this lane. */
  NEVER_RECORDED,
  /** The nearest recorded request differs: the report has the first place. */
  DIVERGED,
  /** The recording has this request, or this tool, but all its exchanges were used. */
  EXHAUSTED,
  /** The recording has an exchange of another kind at this place, and no unused one of this. */
  WRONG_KIND,
  /** The nearest recorded request has the same prompt, but another model or other parameters. */
  MODEL_CHANGED,
  /** The nearest recorded request has the same messages, but other tools or context. */
  TOOLS_CHANGED,
  /** The recorded call has no result: what became of it is not known. */
  UNDECIDED,
  /**
   * The recording has only the hash of what would have to be returned, or not what was streamed.
   */
  NOT_SERVABLE;

  /** The text of the constant in JSON and in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
