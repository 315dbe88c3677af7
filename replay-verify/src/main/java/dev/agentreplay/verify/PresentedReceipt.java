package dev.agentreplay.verify;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.dialect.ReceiptCodec.DecodedReceipt;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.DraftReceipt;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.verify.input.LineDigest;
import dev.agentreplay.verify.input.SmallFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of a session, as it was read.
 *
 * @param source the JSON object of the receipt
 * @param receipt the decoded receipt
 * @param file the hash of the bytes of the file; null if the session has no envelope: only an
 *     envelope states it
 * @param isConverted whether all line ends of the file are CR LF
 */
record PresentedReceipt(
    JsonObject source, Receipt receipt, @Nullable ContentHash file, boolean isConverted) {

  /**
   * Reads the receipt of a session, and reports its faults; returns null when it is not a receipt,
   * or there is none.
   *
   * @param withLineFeeds whether to read each CR LF of the file as LF
   */
  static @Nullable PresentedReceipt read(Session session, Tally tally, boolean withLineFeeds)
      throws IOException {
    Path file = session.receipt();
    if (file == null) {
      return null;
    }
    byte[] bytes = SmallFile.read(file);
    if (bytes == null) {
      tally.report(FindingCode.RECEIPT_UNREADABLE, null, file + ": " + SmallFile.TOO_LARGE);
      return null;
    }
    if (withLineFeeds) {
      bytes = LineEndings.toLineFeeds(bytes);
    }
    JsonValue value;
    try {
      value = JsonText.parse(bytes);
    } catch (JsonSyntaxException e) {
      tally.report(FindingCode.RECEIPT_UNREADABLE, null, file + ": " + e.getMessage());
      return null;
    }
    JsonObject object = value instanceof JsonObject json ? json : null;
    DecodedReceipt decoded = object == null ? null : ReceiptCodec.decode(object);
    if (object == null || decoded == null) {
      String fault = object == null
          ? "expected an object, found " + value.typeName()
          : ReceiptCodec.fault(object);
      tally.report(
          FindingCode.RECEIPT_UNREADABLE, null, file + ": not a receipt of a known form: " + fault);
      return null;
    }
    for (Finding finding : decoded.findings()) {
      tally.report(Finding.of(finding.code(), "receipt: " + finding.message())
          .withMember(finding.member())
          .withId(finding.id())
          .withValues(finding.expected(), finding.found())
          .withHint(finding.hint()));
    }
    return new PresentedReceipt(
        object,
        decoded.receipt(),
        session.envelope() == null ? null : ContentHash.sha256(bytes),
        LineEndings.areConverted(bytes));
  }

  /** Whether the receipt claims to be signed, in any form. */
  boolean isSigned() {
    JsonValue signature = source.get("signature");
    return signature != null && signature != JsonNull.NULL;
  }

  /** Whether the receipt states a hash or tree root of all lines, and it matches. */
  boolean covers(LineDigest lines) {
    return lines.tree().equals(receipt.tree()) || lines.hash().equals(replayHash());
  }

  private @Nullable ContentHash replayHash() {
    return receipt instanceof SessionReceipt session
        ? session.replayHash()
        : receipt instanceof DraftReceipt draft ? draft.replayHash() : null;
  }
}
