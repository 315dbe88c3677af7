package dev.agentreplay.verify;

import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
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
public final class SessionVerifier {

  /** Says what is wanted of a verification. */
  @FunctionalInterface
  interface Outcome<T> {
    T apply(SessionVerification verification, VerificationReport report) throws IOException;
  }

  private final VerifyPolicy policy;

  private SessionVerifier(VerifyPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  /** What it insists on. */
  public VerifyPolicy policy() {
    return policy;
  }

  /** A verifier with this policy. */
  public static SessionVerifier of(VerifyPolicy policy) {
    return new SessionVerifier(policy);
  }

  /**
   * Verifies a session.
   *
   * @throws NotEnoughMemoryException if it takes more memory than there is
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
   * @throws IOException as {@link #verify(Session)} does
   */
  public VerificationReport verify(Session session, BooleanSupplier cancelled) throws IOException {
    return run(session, cancelled, (verification, report) -> report);
  }

  /** Verifies a session, and says what is wanted of it. */
  <T> T run(Session session, BooleanSupplier cancelled, Outcome<T> outcome) throws IOException {
    try {
      SessionVerification verification = new SessionVerification(policy, session);
      try (ReplayReader reader = session.reader()) {
        return outcome.apply(verification, verification.run(reader, cancelled));
      }
    } catch (OutOfMemoryError | StackOverflowError e) {
      throw new NotEnoughMemoryException(session, null, 0, e); // not of a line
    }
  }
}
