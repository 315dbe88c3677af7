package dev.agentreplay.verify;

import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.TreeHead;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

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
    return verify(session, null, cancelled);
  }

  /** Verifies all of a session, and compares its log with what it was before, if that is known. */
  private VerificationReport verify(
      Session session, @Nullable TreeHead before, BooleanSupplier cancelled) throws IOException {
    SessionVerification verification = new SessionVerification(policy, session, null, before);
    try (ReplayReader reader = session.reader()) {
      return verification.run(reader, cancelled);
    }
  }

  /**
   * Verifies a session that has grown: reads only the lines that were added. Counters count from
   * the beginning, findings are those in the new lines. What the log states of itself in new
   * checkpoints is compared with the lines that were read before, too; that these are still in the
   * file is known only of the last of them.
   *
   * <p>All lines are read again, and must begin with those that were verified, where going on would
   * leave something open: when there is a receipt or an earlier checkpoint to compare with, or the
   * log is compressed, or does not have the line there that was verified last.
   *
   * @param since {@link VerificationReport#state} of the verification before; what was signed
   *     before counts if its key is trusted now
   * @throws IOException as {@link #verify(Session)} throws it
   */
  public VerificationReport verify(Session session, VerificationState since) throws IOException {
    ReplayReader rest = canGoOn(session) ? open(session, since) : null;
    if (rest == null) {
      return verify(session, since.tree(), () -> false);
    }
    try (rest) {
      return new SessionVerification(policy, session, since, null).run(rest, () -> false);
    }
  }

  private boolean canGoOn(Session session) {
    return session.receipt() == null
        && session.envelope() == null
        && policy.checkpoints().isEmpty();
  }

  /** The log behind the line that was verified last; null if that is not there. */
  private static @Nullable ReplayReader open(Session session, VerificationState since)
      throws IOException {
    VerificationState.LastLine last = since.last();
    Position start = last == null ? since.next() : last.at();
    ReplayReader reader = null;
    try {
      reader = ReplayReader.openAt(session.log(), start, since.dialect());
      ReplayLine line = last == null ? null : reader.read();
      boolean isThere = last == null
          || (line != null
              && VerificationState.LastLine.of(line).equals(last)
              && reader.position().equals(since.next()));
      if (isThere) {
        return reader;
      }
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException anotherLog) {
      // whoever reads all of it says what is wrong with it
    }
    if (reader != null) {
      reader.close();
    }
    return null;
  }
}
