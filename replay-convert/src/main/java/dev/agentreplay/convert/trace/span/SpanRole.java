package dev.agentreplay.convert.trace.span;

/** The part that a span plays in the session of an agent. */
public enum SpanRole {
  /** A request to a model. */
  MODEL,
  /** The execution of a tool. */
  TOOL,
  /** The run of an agent. */
  AGENT,
  /** Anything else, such as a request to a web server. */
  OTHER
}
