package dev.agentreplay.verify;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.dialect.ReceiptCodec.DecodedReceipt;
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
 * The receipt that a session is presented with.
 *
 * @param source the object that it is
 * @param receipt what it says
 * @param file the hash of its file's bytes
 * @param isConverted whether all line ends of the file are CR LF
 */
record PresentedReceipt(JsonObject source, Receipt receipt, ContentHash file, boolean isConverted) {

  /**
   * Reads a receipt, and reports what is wrong with it; null when it is none.
   *
   * @param withLineFeeds whether to read each CR LF of the file as LF
   */
  static @Nullable PresentedReceipt read(Path file, Tally tally, boolean withLineFeeds)
      throws IOException {
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
        object, decoded.receipt(), ContentHash.sha256(bytes), LineEndings.areConverted(bytes));
  }

  /** Whether it claims to be signed, however. */
  boolean isSigned() {
    JsonValue signature = source.get("signature");
    return signature != null && signature != JsonNull.NULL;
  }

  /** Whether it states what every line is, and that is so. */
  boolean covers(LineDigest lines) {
    return lines.tree().equals(receipt.tree()) || lines.hash().equals(replayHash());
  }

  private @Nullable ContentHash replayHash() {
    return receipt instanceof SessionReceipt session
        ? session.replayHash()
        : receipt instanceof DraftReceipt draft ? draft.replayHash() : null;
  }
}
