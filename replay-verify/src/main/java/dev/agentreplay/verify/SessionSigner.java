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
 * Signs sessions that were recorded without a key, and only those that verify.
 *
 * <pre>{@code
 * SessionSigner.sign(Session.open(directory), Ed25519Signer.of(KeyPem.parsePrivateKey(text)));
 * }</pre>
 *
 * <p>Signing that failed, or was interrupted by the death of the process, may be repeated, and then
 * does all of it again; the log is never changed. Until both signatures are made, no file is. Then
 * the old envelope is deleted, the receipt replaced and the new envelope written, each whole and
 * forced to the disk before the next: a failure may leave the receipt, unsigned or signed, without
 * an envelope, but never a part of a file, or an envelope of another receipt.
 */
public final class SessionSigner {

  private SessionSigner() {}

  /**
   * Verifies a session, and signs the log and the receipt that were read for that. The receipt is
   * written again with the signature, in place of the one that it may have, and the envelope in
   * {@value Session#ENVELOPE_NAME} with it; an envelope that exists is replaced, whatever it says.
   *
   * @return the report of a session that verifies
   * @throws NoSuchFileException if there is no receipt
   * @throws SessionInvalidException if the session contradicts itself or its receipt, cannot be
   *     read, or is being written; nothing is signed
   * @throws IOException if the key cannot be used, and nothing is changed; or a file not be read or
   *     written
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
    LocalDisk.INSTANCE.delete(envelope); // which would be of another receipt
    LocalDisk.INSTANCE.forceParent(file);
    WholeFile.replace(file, signed.receiptFile());
    WholeFile.replace(envelope, signed.envelopeFile());
  }
}
