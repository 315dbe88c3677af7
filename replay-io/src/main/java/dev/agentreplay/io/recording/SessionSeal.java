package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublicTree;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.signature.SignedReceipt;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.log.LogDigest;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files that seal a session that has ended: its receipt and, if it is signed, the DSSE envelope
 * of the receipt and, if the log has a salt, the checkpoint of its public tree. Not safe for use by
 * several threads.
 */
final class SessionSeal {

  private final Disk disk;
  private final Path directory;
  private final ContentHash log;
  private final CanonicalJson canonical;
  private final @Nullable Salt salt;
  private JsonObject receipt;
  private @Nullable Signer signer;
  private @Nullable PublicTree publicTree;
  private byte @Nullable [] envelope;
  private byte @Nullable [] publicCheckpoint;
  private boolean isSigned;
  private boolean isReceiptWritten;

  /**
   * Creates a seal; nothing is signed or written yet.
   *
   * @param log the hash of the log's bytes
   * @param canonical the canonicalization of the log
   * @param signer the key; null for none
   * @param salt the salt of the log; null if it has none
   */
  SessionSeal(
      Disk disk,
      Path directory,
      ContentHash log,
      CanonicalJson canonical,
      SessionReceipt receipt,
      @Nullable Signer signer,
      @Nullable Salt salt) {
    this.disk = disk;
    this.directory = directory;
    this.log = log;
    this.canonical = canonical;
    this.receipt = ReceiptCodec.encode(receipt);
    this.signer = signer;
    this.salt = salt;
  }

  /** Continues without a signature. */
  void leaveUnsigned() {
    signer = null;
  }

  /**
   * Signs, and writes receipt, envelope and public checkpoint as new files, in this order, which
   * are forced to disk with their directory entries. After a failure it may be called again, and
   * resumes where it failed.
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
    if (publicCheckpoint != null) {
      WholeFile.create(disk, directory.resolve(Session.PUBLIC_CHECKPOINT_NAME), publicCheckpoint);
      publicCheckpoint = null;
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
    JsonObject stated = receipt;
    byte[] checkpoint = null;
    if (salt != null) {
      PublicTree read = publicTree(salt);
      stated = SignedReceipt.stating(receipt, read.form(), read.head(), canonical);
      checkpoint = PublicCheckpoint.of(read.form(), read.head(), read.original())
          .sign(key)
          .toBytes();
    }
    SignedReceipt signed = SignedReceipt.of(stated, log, canonical, key);
    envelope = signed.envelopeFile();
    publicCheckpoint = checkpoint;
    receipt = signed.receipt();
  }

  /** The public tree of the log, which is read for it. */
  private PublicTree publicTree(Salt secret) throws IOException {
    if (publicTree != null) {
      return publicTree;
    }
    Path file = directory.resolve(Session.LOG_NAME);
    PublicTree read = new PublicTree(PublicForm.DEFAULT, secret);
    LogDigest digest = new LogDigest(false);
    LogRecovery.of(disk, file).inspect(line -> {
      read.add(line.bytes(), line.json(), canonical);
      try {
        line.writeLineTo(digest);
      } catch (IOException e) { // the digest does no I/O
        throw new UncheckedIOException(e);
      }
    });
    if (!digest.toHash().equals(log)) {
      throw new IOException(file + ": differs from the lines that were written");
    }
    publicTree = read;
    return read;
  }

  /** The receipt in its current state, signed or not. */
  Receipt receipt() {
    return Objects.requireNonNull(ReceiptCodec.decode(receipt)).receipt();
  }

  private byte[] receiptBytes() {
    return ReceiptFile.bytes(receipt);
  }
}
