package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.signature.SignedReceipt;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Signs sessions that were recorded without a key, after verifying them. A session that is invalid
 * is not signed.
 *
 * <pre>{@code
 * SessionSigner.sign(Session.open(directory), Ed25519Signer.of(KeyPem.parsePrivateKey(text)));
 * }</pre>
 *
 * <p>Signing may be repeated after a failure or a crash, and then starts from the beginning; the
 * log is never changed. No file is written until both signatures are made. Then the old envelope is
 * deleted, the receipt replaced and the new envelope written, each complete and forced to disk
 * (fsync) before the next: a failure may leave the receipt, unsigned or signed, without an
 * envelope, but never a partial file, or an envelope of a different receipt.
 */
public final class SessionSigner {

  private SessionSigner() {}

  /**
   * Verifies a session, and signs exactly the log and the receipt that were verified. The receipt
   * is rewritten with the signature, which replaces an existing one, and the envelope
   * {@value Session#ENVELOPE_NAME} is written next to it; an existing envelope is replaced,
   * whatever its content.
   *
   * @return the report of the verification
   * @throws NoSuchFileException if the session has no receipt
   * @throws SessionInvalidException if the session contradicts itself or its receipt, cannot be
   *     read, or is being written; nothing is signed
   * @throws IOException if the key cannot be used, and then nothing is changed; or if a file cannot
   *     be read or written
   */
  public static VerificationReport sign(Session session, Signer signer) throws IOException {
    Path file = session.receipt();
    if (file == null) {
      throw new NoSuchFileException(
          session.log().resolveSibling(Session.RECEIPT_NAME).toString(),
          null,
          "there is no receipt to sign");
    }
    return SessionVerifier.of(VerifyPolicy.defaults())
        .run(session.withEnvelope(null), () -> false, (verification, report) -> {
          requireValid(report);
          write(file, sign(verification, report, signer));
          return report;
        });
  }

  private static void requireValid(VerificationReport report) throws SessionInvalidException {
    if (report.verdict() == Verdict.INVALID
        || report.verdict() == Verdict.UNREADABLE
        || report.count(FindingCode.BEING_WRITTEN) > 0) {
      throw new SessionInvalidException(report);
    }
  }

  private static SignedReceipt sign(
      SessionVerification verification, VerificationReport report, Signer signer)
      throws IOException {
    return SignedReceipt.of(
        Objects.requireNonNull(verification.receipt()).source(),
        verification.logHash(),
        CanonicalJson.of(Objects.requireNonNull(report.canonicalization())),
        signer);
  }

  private static void write(Path file, SignedReceipt signed) throws IOException {
    Path envelope = file.resolveSibling(Session.ENVELOPE_NAME);
    LocalDisk.INSTANCE.delete(envelope); // it belongs to the old receipt
    LocalDisk.INSTANCE.forceParent(file);
    WholeFile.replace(file, signed.receiptFile());
    WholeFile.replace(envelope, signed.envelopeFile());
  }
}
