package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.signature.SignedReceipt;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Signs sessions that were recorded without a key, after verifying them. A session that is invalid
 * is not signed.
 *
 * <pre>{@code
 * SessionSigner.sign(Session.open(directory), Ed25519Signer.of(KeyPem.parsePrivateKey(text)));
 * }</pre>
 *
 * <p>Signing may be repeated after a failure or a crash, and then starts from the beginning; the
 * log is never changed. No file is written until all signatures are made. Then the old envelope and
 * public checkpoint are deleted, the receipt replaced, and the new envelope and public checkpoint
 * written, each complete and forced to disk (fsync) before the next: a failure may leave the
 * receipt, unsigned or signed, without the others, but never a partial file, or one that belongs to
 * a different receipt.
 */
public final class SessionSigner {

  private SessionSigner() {}

  /**
   * Verifies a session, and signs exactly the log and the receipt that were verified. The receipt
   * is rewritten with the signature, which replaces an existing one, and the envelope
   * {@value Session#ENVELOPE_NAME} is written next to it; an existing envelope is replaced,
   * whatever its content. If the header of the log has a salt, the receipt also states the public
   * tree of the log, and {@value Session#PUBLIC_CHECKPOINT_NAME} is written or replaced likewise.
   *
   * @return the report of the verification
   * @throws NoSuchFileException if the session has no receipt
   * @throws SessionInvalidException if the session contradicts itself or its receipt, cannot be
   *     read, or is being written; nothing is signed
   * @throws IOException if the key cannot be used, and then nothing is changed; or if a file cannot
   *     be read or written
   */
  public static VerificationReport sign(Session session, Signer signer) throws IOException {
    return sign(session, signer, PublicForm.DEFAULT);
  }

  /**
   * Verifies and signs a session as {@link #sign(Session, Signer)} does.
   *
   * @param publicForm the form of the public tree, which is the same for all published copies of
   *     the session; not used if the header of the log has no salt
   */
  public static VerificationReport sign(Session session, Signer signer, PublicForm publicForm)
      throws IOException {
    Objects.requireNonNull(publicForm, "publicForm");
    Path file = session.receipt();
    if (file == null) {
      throw new NoSuchFileException(
          session.log().resolveSibling(Session.RECEIPT_NAME).toString(),
          null,
          "there is no receipt to sign");
    }
    return SessionVerifier.run(
        session,
        () -> SessionVerification.toSign(session, publicForm),
        () -> false,
        (verification, report) -> {
          requireValid(report);
          sign(file, verification, report, signer);
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

  private static void sign(
      Path file, SessionVerification verification, VerificationReport report, Signer signer)
      throws IOException {
    CanonicalJson canonical = CanonicalJson.of(Objects.requireNonNull(report.canonicalization()));
    JsonObject receipt = Objects.requireNonNull(verification.receipt()).source();
    PublicCheckpoint checkpoint = verification.publicCheckpoint();
    if (checkpoint != null) {
      receipt = SignedReceipt.stating(receipt, checkpoint.form(), checkpoint.tree(), canonical);
      checkpoint = checkpoint.sign(signer);
    }
    write(
        file,
        SignedReceipt.of(receipt, verification.logHash(), canonical, signer),
        report.session().log().resolveSibling(Session.PUBLIC_CHECKPOINT_NAME),
        checkpoint);
  }

  private static void write(
      Path file, SignedReceipt signed, Path publicFile, @Nullable PublicCheckpoint checkpoint)
      throws IOException {
    Path envelope = file.resolveSibling(Session.ENVELOPE_NAME);
    LocalDisk.INSTANCE.delete(envelope); // it belongs to the old receipt
    LocalDisk.INSTANCE.forceParent(file);
    if (checkpoint != null) {
      LocalDisk.INSTANCE.delete(publicFile); // its form may be different
      LocalDisk.INSTANCE.forceParent(publicFile);
    }
    WholeFile.replace(file, signed.receiptFile());
    WholeFile.replace(envelope, signed.envelopeFile());
    if (checkpoint != null) {
      WholeFile.replace(publicFile, checkpoint.toBytes());
    }
  }
}
