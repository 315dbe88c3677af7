package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ContentHash;
import org.jspecify.annotations.Nullable;

/** The unit of comparison: an event, or a call together with its result. Immutable. */
public sealed interface Step permits Results.StepData {

  /** The kind of the step. */
  StepKind kind();

  /** Its number among the steps of its session that are compared, from 0. */
  int index();

  /** Its number among the tool calls of its log, from 0; null for a step that is not a call. */
  @Nullable
  Integer call();

  /**
   * The tool of a call, the model of a turn, the path of a file, or the name of any other event.
   */
  String name();

  /** The id of the agent whose step it is: its lane; null when the log does not state it. */
  @Nullable
  String agent();

  /** The line of its event in the log, from 1. */
  long line();

  /** The line of its result, from 1; null when there is none. */
  @Nullable
  Long resultLine();

  /** Its latency in milliseconds; null when the log does not state one. */
  @Nullable
  Long latencyMillis();

  /** Whether it succeeded; true when the log does not state it. */
  boolean succeeded();

  /** The beginning of its arguments or content, on one line, for display. It is untrusted text. */
  String summary();

  /**
   * The hash of everything that is compared in it, after normalization; tolerances and rules for
   * similar texts do not affect it.
   */
  ContentHash fingerprint();
}
