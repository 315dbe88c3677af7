package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.signature.SignedReceipt;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files that seal a session that has ended: its receipt and, if it is signed, the DSSE envelope
 * of the receipt. Not safe for use by several threads.
 */
final class SessionSeal {

  private final Disk disk;
  private final Path directory;
  private final ContentHash log;
  private final CanonicalJson canonical;
  private JsonObject receipt;
  private @Nullable Signer signer;
  private byte @Nullable [] envelope;
  private boolean isSigned;
  private boolean isReceiptWritten;

  /**
   * Creates a seal; nothing is signed or written yet.
   *
   * @param log the hash of the log's bytes
   * @param canonical the canonicalization of the log
   */
  SessionSeal(
      Disk disk,
      Path directory,
      ContentHash log,
      CanonicalJson canonical,
      JsonObject receipt,
      @Nullable Signer signer) {
    this.disk = disk;
    this.directory = directory;
    this.log = log;
    this.canonical = canonical;
    this.receipt = receipt;
    this.signer = signer;
  }

  /** Continues without a signature. */
  void leaveUnsigned() {
    signer = null;
  }

  /**
   * Signs, and writes receipt and envelope as new files, which are forced to disk with their
   * directory entries. After a failure it may be called again, and resumes where it failed.
   */
  void write() throws IOException {
    sign();
    if (!isReceiptWritten) {
      WholeFile.create(disk, directory.resolve(Session.RECEIPT_NAME), receiptBytes());
      isReceiptWritten = true;
    }
    if (envelope != null) {
      WholeFile.create(disk, directory.resolve(Session.ENVELOPE_NAME), envelope);
      envelope = null;
    }
  }

  private void sign() throws IOException {
    if (signer == null || isSigned) {
      return;
    }
    try {
      sign(signer);
    } catch (RuntimeException e) {
      throw new IOException("the receipt cannot be signed: " + e, e);
    }
    isSigned = true;
  }

  private void sign(Signer key) throws IOException {
    SignedReceipt signed = SignedReceipt.of(receipt, log, canonical, key);
    envelope = signed.envelopeFile();
    receipt = signed.receipt();
  }

  /** The receipt in its current state, signed or not. */
  Receipt receipt() {
    return Objects.requireNonNull(ReceiptCodec.decode(receipt)).receipt();
  }

  private byte[] receiptBytes() {
    return ReceiptFile.bytes(receipt);
  }
}
