package dev.agentreplay.verify;

import dev.agentreplay.verify.input.AnsweredCall;

/** Matches the answered calls of a log with the entries of its receipt, and compares them. */
interface CallMatcher {

  /** The next call that was answered. */
  void accept(AnsweredCall call);

  /** The log is at its end. */
  void finish();
}
