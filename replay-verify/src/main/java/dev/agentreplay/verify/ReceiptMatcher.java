package dev.agentreplay.verify;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import dev.agentreplay.verify.input.AnsweredCall;
import dev.agentreplay.verify.input.HashHints;

/** Holds a log against its receipt, as the log goes by. */
interface ReceiptMatcher {

  /**
   * The matcher for a receipt.
   *
   * @param source the object that the receipt was read from
   */
  static ReceiptMatcher of(
      JsonObject source,
      Receipt receipt,
      Tally tally,
      LogCanonicalization canonicalization,
      HashHints hints) {
    return receipt instanceof TrajectoryReceipt trajectory
        ? new TrajectoryReceiptMatcher(source, trajectory, tally, canonicalization, hints)
        : new SessionReceiptMatcher(receipt, tally, canonicalization, hints);
  }

  /** A line of the log. */
  void accept(ReplayLine line);

  /** A call of the log that was answered. */
  void accept(AnsweredCall call);

  /** The log is at its end; its bytes have this hash. */
  void finish(ContentHash replayHash);
}
