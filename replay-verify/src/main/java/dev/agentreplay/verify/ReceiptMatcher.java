package dev.agentreplay.verify;

import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.model.ContentHash;

/** Holds a log against its receipt, as the log goes by. */
interface ReceiptMatcher {

  /** A line of the log. */
  void accept(ReplayLine line);

  /** A call of the log that was answered. */
  void accept(AnsweredCall call);

  /** The log is at its end; its bytes have this hash. */
  void finish(ContentHash replayHash);
}
