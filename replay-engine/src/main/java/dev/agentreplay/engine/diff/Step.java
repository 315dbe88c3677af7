package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ContentHash;
import org.jspecify.annotations.Nullable;

/** The unit of comparison: an event, or a call together with its result. */
public sealed interface Step permits Results.StepData {

  /** The kind of the step. */
  StepKind kind();

  /** Its number among the steps of its session that are compared, from 0. */
  int index();

  /** Its number among the tool calls of its log, from 0; null for a step that is not a call. */
  @Nullable
  Integer call();

  /** The tool of a call, the model of a turn, the path of a file; else the name of the event. */
  String name();

  /** The line of its event, from 1. */
  long line();

  /** The line of the result; null when there is none. */
  @Nullable
  Long resultLine();

  /** Its duration in milliseconds; null when that is not stated. */
  @Nullable
  Long latencyMillis();

  /** Whether it succeeded; true when nothing is stated. */
  boolean succeeded();

  /** The beginning of its arguments or content, on one line; for people, untrusted. */
  String summary();

  /** The hash of what is compared of it, after the rules. */
  ContentHash fingerprint();
}
