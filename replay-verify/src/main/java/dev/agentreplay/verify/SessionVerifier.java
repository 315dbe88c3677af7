package dev.agentreplay.verify;

import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Verifies sessions: the consistency of the log, and the log against its receipt if there is one.
 *
 * <p>A verifier is created from a policy, and returns its results as a {@link VerificationReport};
 * an exception means that a file could not be read at all. Immutable and safe for use by several
 * threads.
 */
public final class SessionVerifier {

  /** Computes the result of a verification. */
  @FunctionalInterface
  interface Outcome<T> {
    T apply(SessionVerification verification, VerificationReport report) throws IOException;
  }

  /** Creates a verification. */
  @FunctionalInterface
  interface Start {
    SessionVerification start() throws IOException;
  }

  private final VerifyPolicy policy;

  private SessionVerifier(VerifyPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  /** The policy. */
  public VerifyPolicy policy() {
    return policy;
  }

  /** Returns a verifier with this policy. */
  public static SessionVerifier of(VerifyPolicy policy) {
    return new SessionVerifier(policy);
  }

  /**
   * Verifies a session.
   *
   * @throws NotEnoughMemoryException if it takes more memory than is available
   * @throws IOException if the log cannot be read from disk or decompressed; an unreadable blob,
   *     and a log or receipt that is malformed, are findings
   */
  public VerificationReport verify(Session session) throws IOException {
    return verify(session, () -> false);
  }

  /**
   * Verifies a session, and stops early when cancelled.
   *
   * @param cancelled whether to stop; called before each line
   * @throws CancellationException if the verification was cancelled
   * @throws IOException as {@link #verify(Session)} does
   */
  public VerificationReport verify(Session session, BooleanSupplier cancelled) throws IOException {
    return run(
        session,
        () -> new SessionVerification(policy, session),
        cancelled,
        (verification, report) -> report);
  }

  /** Runs the verification of a session, and returns the outcome computed from it. */
  static <T> T run(Session session, Start start, BooleanSupplier cancelled, Outcome<T> outcome)
      throws IOException {
    try {
      SessionVerification verification = start.start();
      try (ReplayReader reader = session.reader()) {
        return outcome.apply(verification, verification.run(reader, cancelled));
      }
    } catch (OutOfMemoryError | StackOverflowError e) {
      throw new NotEnoughMemoryException(session, null, 0, e); // not in a line
    }
  }
}
