package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.receipt.Receipt;
import java.util.List;
import java.util.Objects;

/**
 * What a receipt says.
 *
 * @param receipt the receipt
 * @param findings what is wrong with it: FIELD_MISSING, FIELD_INVALID, without position
 */
public record DecodedReceipt(Receipt receipt, List<Finding> findings) {

  /** Checks for null and copies. */
  public DecodedReceipt {
    Objects.requireNonNull(receipt, "receipt");
    findings = List.copyOf(findings);
  }
}
