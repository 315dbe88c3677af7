package dev.agentreplay.verify;

import dev.agentreplay.verify.input.AnsweredCall;

/** Matches the answered calls of a log with the entries of its receipt, and compares them. */
interface CallMatcher {

  /** Accepts the next answered call. */
  void accept(AnsweredCall call);

  /** Completes the matching at the end of the log. */
  void finish();
}
