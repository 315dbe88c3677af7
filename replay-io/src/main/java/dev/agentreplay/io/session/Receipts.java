package dev.agentreplay.io.session;

import dev.agentreplay.io.log.LogDigest;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.receipt.Receipt;
import java.io.IOException;
import java.util.Objects;

/**
 * Computes receipts of logs. {@link ReceiptFile} writes them.
 *
 * <pre>{@code
 * Receipt receipt = Receipts.compute(Session.open(directory), Receipt.Form.SESSION);
 * }</pre>
 */
public final class Receipts {

  private Receipts() {}

  /**
   * Computes the receipt of a log, which is read once. The log is not verified: a hash is computed
   * from its value if the log has the value, otherwise the recorded hash is used.
   *
   * @throws ReplayFormatException if a line cannot be read, or the version of the log is not
   *     supported
   * @throws IOException if the log cannot be read
   * @throws IllegalArgumentException if the log's canonicalization would round an integer in a
   *     receipt of the form {@link Receipt.Form#OPENAGENTS_V1}
   */
  public static Receipt compute(Session session, Receipt.Form form) throws IOException {
    Objects.requireNonNull(form, "form");
    ReceiptAccumulator receipt = new ReceiptAccumulator();
    LogDigest digest = new LogDigest(true);
    try (ReplayReader reader = session.reader()) {
      reader.hashLeavesAhead();
      reader.decodeAhead(null);
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        requireSupported(session, line.event());
        digest.add(line);
        digest.passOn();
        if (form == Receipt.Form.OPENAGENTS_V1) {
          receipt.add(line.event(), line.json());
        } else {
          receipt.add(line.event());
        }
      }
    }
    return receipt.toReceipt(form, digest.toHash(), digest.toTree());
  }

  private static void requireSupported(Session session, ReplayEvent event) throws IOException {
    if (event instanceof ReplayHeader header
        && header.support() == ReplayHeader.Support.UNSUPPORTED) {
      throw ReplayFormatException.unsupported(session.log(), header);
    }
  }
}
