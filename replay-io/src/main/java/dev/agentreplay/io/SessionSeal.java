package dev.agentreplay.io;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.internal.LogCanonicalization;
import dev.agentreplay.canonical.signature.SignedJson;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.io.internal.Disk;
import dev.agentreplay.io.internal.LocalDisk;
import dev.agentreplay.io.internal.SessionFiles;
import dev.agentreplay.io.internal.WholeFile;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What stands beside the log of a session that has ended: its receipt and, where it is signed, the
 * envelope around it. A signature is in both: in the receipt's member {@code signature}, which our
 * tools read, and in {@value Session#ENVELOPE_NAME}, an in-toto statement in a DSSE envelope that
 * names the bytes of log and receipt by their SHA-256.
 */
public final class SessionSeal {

  private static final int MAX_RECEIPT_BYTES = JsonLimits.defaults().maxBytes();

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

  /**
   * Signs a session whose receipt is there: writes the receipt anew with the signature, in the
   * place of another one if there is one, and the envelope. What the receipt says is not looked at:
   * verify it before.
   *
   * @throws NoSuchFileException if there is no receipt
   * @throws ReplayFormatException if the log has no readable header
   * @throws IOException if the key cannot be used, or a file not be read or written, or the receipt
   *     is no JSON object or the log's canonicalization not known
   */
  public static void sign(Session session, Signer signer) throws IOException {
    Path file = session.receipt();
    if (file == null) {
      throw new NoSuchFileException(
          session.log().resolveSibling(Session.RECEIPT_NAME).toString(),
          null,
          "there is no receipt to sign");
    }
    SessionSeal seal = new SessionSeal(
        LocalDisk.INSTANCE,
        Objects.requireNonNull(file.toAbsolutePath().getParent()),
        session.replayHash(),
        canonical(session),
        read(file),
        signer);
    seal.sign();
    Path envelope = file.resolveSibling(Session.ENVELOPE_NAME);
    LocalDisk.INSTANCE.delete(envelope); // which would be of another receipt
    LocalDisk.INSTANCE.forceParent(file);
    WholeFile.replace(file, seal.receiptBytes());
    WholeFile.replace(envelope, Objects.requireNonNull(seal.envelope));
  }

  private static JsonObject read(Path file) throws IOException {
    byte[] bytes = SessionFiles.read(file, MAX_RECEIPT_BYTES);
    if (bytes == null) {
      throw new IOException("%s: has more than %d bytes".formatted(file, MAX_RECEIPT_BYTES));
    }
    try {
      if (JsonText.parse(bytes) instanceof JsonObject receipt) {
        return receipt;
      }
    } catch (JsonSyntaxException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    throw new IOException(file + ": expected a JSON object");
  }

  private static CanonicalJson canonical(Session session) throws IOException {
    LogCanonicalization canonicalization = new LogCanonicalization();
    try (ReplayReader reader = session.reader()) {
      ReplayLine header = reader.read();
      if (header != null) {
        canonicalization.accept(header.event());
      }
    }
    CanonicalJson canonical = canonicalization.get();
    if (canonical == null) {
      throw new IOException(session.log() + ": its canonicalization is not known");
    }
    return canonical;
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
    String signature =
        SignedJson.sign(receipt, SignedJson.RECEIPT, canonical, key).toString();
    JsonObject signed = receipt.with("signature", signature);
    byte[] file = ReceiptFile.bytes(signed);
    envelope = (Statement.ofReceipt(log, ContentHash.sha256(file), signed)
                .sign(key)
                .toJson()
                .toString()
            + "\n")
        .getBytes(StandardCharsets.UTF_8);
    receipt = signed;
  }

  /** The receipt as it is now, signed or not. */
  Receipt receipt() {
    return Objects.requireNonNull(ReceiptCodec.decode(receipt)).receipt();
  }

  private byte[] receiptBytes() {
    return ReceiptFile.bytes(receipt);
  }
}
