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
 * The files next to the log of a session that has ended: its receipt and, where it is signed, the
 * envelope around it.
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
   * Nothing is signed or written yet.
   *
   * @param log the hash of the log's bytes
   * @param canonical that of the log
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

  /** Goes on without a signature. */
  void leaveUnsigned() {
    signer = null;
  }

  /**
   * Signs, and writes receipt and envelope as new files, forced to the disk with their names. When
   * that fails it may be called again, and goes on where it failed.
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

  /** The receipt as it is now, signed or not. */
  Receipt receipt() {
    return Objects.requireNonNull(ReceiptCodec.decode(receipt)).receipt();
  }

  private byte[] receiptBytes() {
    return ReceiptFile.bytes(receipt);
  }
}
