package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.internal.LogCanonicalization;
import dev.agentreplay.io.ReplayFormatException;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.TreeHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One verification of one session, from its first line or from where an earlier one came to. */
final class SessionVerification {

  private final VerifyPolicy policy;
  private final Session session;
  private final Tally tally;
  private final LogCanonicalization canonicalization;
  private final @Nullable PresentedReceipt receipt;
  private final @Nullable ReceiptMatcher matcher;
  private final LineDigest lines;
  private final SignatureCheck signatures;
  private final TreeVerifier tree;
  private final LogVerifier log;
  private final boolean isCompared;

  /** The last line that was verified, as a state keeps it; null before there is one. */
  private VerificationState.@Nullable LastLine last;

  /**
   * A verification of a session.
   *
   * @param since how far it was verified, to go on there; null to verify all of it
   * @param before what its log was then, to compare it with; null when there is nothing to compare
   */
  SessionVerification(
      VerifyPolicy policy,
      Session session,
      @Nullable VerificationState since,
      @Nullable TreeHead before)
      throws IOException {
    this.policy = policy;
    this.session = session;
    tally = new Tally(policy.maxFindings());
    canonicalization = since == null
        ? new LogCanonicalization()
        : new LogCanonicalization(canonical(since.canonicalization()));
    HashHints hints = new HashHints(canonicalization);
    receipt = session.receipt() == null ? null : PresentedReceipt.read(session.receipt(), tally);
    matcher = receipt == null
        ? null
        : ReceiptMatcher.of(receipt.source(), receipt.receipt(), tally, canonicalization, hints);
    lines = since == null ? new LineDigest() : new LineDigest(since);
    signatures = new SignatureCheck(tally, policy.keys(), canonicalization);
    tree = new TreeVerifier(
        tally,
        lines,
        signatures,
        policy.checkpoints(),
        before,
        receipt == null ? null : receipt.receipt().tree());
    isCompared = before != null;
    log = new LogVerifier(
        tally,
        canonicalization,
        new ContentVerifier(tally, canonicalization, hints, new Blobs(session)),
        matcher == null ? call -> {} : matcher::accept,
        lines,
        tree,
        starts());
    if (since != null) {
      tally.goOn(since.counts(), since.findingCounts());
      tally.add(Counter.LINES_NOT_READ_AGAIN, since.tree().size() - earlier(since));
      tree.goOn(since.statements());
      log.goOn(since);
      last = since.last();
    }
  }

  private static long earlier(VerificationState since) {
    return since.counts().getOrDefault(Counter.LINES_NOT_READ_AGAIN, 0L);
  }

  private static @Nullable CanonicalJson canonical(@Nullable Canonicalization profile) {
    return profile == null ? null : CanonicalJson.of(profile);
  }

  /** Where the files of the log begin in it: each but the last is whole, and stays as it is. */
  private long[] starts() throws IOException {
    List<Path> parts = session.parts();
    long[] starts = new long[parts.size()];
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + Files.size(parts.get(i - 1));
    }
    return starts;
  }

  /**
   * Verifies what the reader has left.
   *
   * @param cancelled is asked at each line
   * @throws CancellationException if it is no longer wanted
   */
  VerificationReport run(ReplayReader reader, BooleanSupplier cancelled) throws IOException {
    VerificationState state = null;
    if (readAll(reader, cancelled)) {
      state = state(reader);
      log.finish(reader.foreignFormat());
      if (matcher != null) {
        matcher.finish(lines.hash());
      }
      tally.add(Counter.LINES_SIGNED, isSigned() ? lines.lines() : tree.signed());
      if (isCompared && tree.progress().differs()) {
        state = null; // the log is not the one that was verified before
      }
    }
    return report(reader.dialect(), state);
  }

  /** Returns whether all lines were read and understood, so that conclusions may be drawn. */
  private boolean readAll(ReplayReader reader, BooleanSupplier cancelled) throws IOException {
    boolean whole = true;
    ReplayLine previous = null;
    while (!log.isUnsupported()) {
      if (cancelled.getAsBoolean()) {
        throw new CancellationException();
      }
      try {
        ReplayLine line = reader.read();
        if (line == null) {
          last = previous == null ? last : VerificationState.LastLine.of(previous);
          return whole;
        }
        log.accept(line);
        previous = line;
        if (matcher != null && whole) {
          matcher.accept(line);
        }
      } catch (ReplayFormatException unreadable) {
        whole = false;
        log.damaged();
        tally.count(Counter.UNREADABLE_LINES);
        tally.report(unreadable.toFinding());
        if (reader.foreignFormat() != null) {
          return false; // its other lines are no better
        }
      }
    }
    return false;
  }

  /**
   * Whether a trusted key has signed what every line is: in the envelope where there is one, which
   * covers the receipt's bytes as well, else in the receipt.
   */
  private boolean isSigned() throws IOException {
    boolean inReceipt = receipt != null && signatures.check(receipt) && receipt.covers(lines);
    return session.envelope() == null
        ? inReceipt
        : signatures.check(session.envelope(), lines.hash(), receipt);
  }

  /**
   * From where to go on when the log has grown; null when it has ended, does not end a line, or was
   * compared with something that all of it is compared with again.
   */
  private @Nullable VerificationState state(ReplayReader reader) {
    LogProgress progress = log.progress();
    if (progress == null
        || session.receipt() != null
        || session.envelope() != null
        || !policy.checkpoints().isEmpty()
        || tally.findingCounts().containsKey(FindingCode.NO_FINAL_NEWLINE)) {
      return null;
    }
    return new VerificationState(
        reader.position(),
        last,
        lines.tree(),
        lines.edge(),
        reader.dialect(),
        profile(),
        tree.progress(),
        progress,
        tally.counts(),
        tally.findingCounts());
  }

  private @Nullable Canonicalization profile() {
    CanonicalJson canonical = canonicalization.get();
    return canonical == null ? null : canonical.canonicalization();
  }

  private VerificationReport report(@Nullable Dialect dialect, @Nullable VerificationState state) {
    Assessment assessment = new Assessment(policy, session, tally);
    return new VerificationReport(
        session,
        assessment.verdict(),
        assessment.unmet(),
        dialect,
        profile(),
        tally.counts(),
        tally.findingCounts(),
        tally.findings(),
        signatures.signers(),
        state);
  }
}
