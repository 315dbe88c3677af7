package dev.agentreplay.verify;

import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Verifies sessions: the log against itself, and against its receipt where there is one.
 *
 * <p>It is made from a policy, and tells what it found in a {@link VerificationReport}; an
 * exception means that a file could not be read at all.
 */
public final class ReceiptVerifier {

  private final VerifyPolicy policy;

  private ReceiptVerifier(VerifyPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  /** A verifier with this policy. */
  public static ReceiptVerifier of(VerifyPolicy policy) {
    return new ReceiptVerifier(policy);
  }

  /**
   * Verifies a session.
   *
   * @throws IOException if the log cannot be read from disk, or not be decompressed; a blob that
   *     cannot be read is a finding, and so is a log or receipt that can be, but makes no sense
   */
  public VerificationReport verify(Session session) throws IOException {
    return verify(session, () -> false);
  }

  /**
   * Verifies a session, unless that is no longer wanted.
   *
   * @param cancelled is asked at each line
   * @throws CancellationException if it is no longer wanted
   */
  VerificationReport verify(Session session, BooleanSupplier cancelled) throws IOException {
    SessionVerification verification = new SessionVerification(policy, session);
    try (ReplayReader reader = session.reader()) {
      return verification.run(reader, cancelled);
    }
  }
}
