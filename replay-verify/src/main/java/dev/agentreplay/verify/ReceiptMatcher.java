package dev.agentreplay.verify;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import dev.agentreplay.verify.input.AnsweredCall;
import dev.agentreplay.verify.input.HashHints;

/** Compares a log with its receipt in one pass over the lines. */
interface ReceiptMatcher {

  /**
   * Returns the matcher for a receipt.
   *
   * @param source the JSON object of the receipt
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

  /** Accepts a line of the log. */
  void accept(ReplayLine line);

  /** Accepts an answered call of the log. */
  void accept(AnsweredCall call);

  /**
   * Completes the comparison at the end of the log.
   *
   * @param replayHash the hash of the bytes of the log
   */
  void finish(ContentHash replayHash);
}
