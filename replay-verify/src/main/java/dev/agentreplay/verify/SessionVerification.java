package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.SegmentChain;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.Blobs;
import dev.agentreplay.verify.input.HashHints;
import dev.agentreplay.verify.input.LineDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One verification of one session. */
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
  private final ExpectationCheck expectations;
  private Set<String> signers = Set.of();
  private final boolean wasBeingWritten;
  private @Nullable String sessionId;

  /** Where the line begins that is verified next, or now. */
  private long lineNumber = 1;

  private long lineOffset;
  private final boolean withLineFeeds;

  SessionVerification(VerifyPolicy policy, Session session) throws IOException {
    this(policy, session, false);
  }

  /**
   * A verification.
   *
   * @param withLineFeeds whether log and receipt are read as if each CR LF in them were LF
   */
  private SessionVerification(VerifyPolicy policy, Session session, boolean withLineFeeds)
      throws IOException {
    this.policy = policy;
    this.session = session;
    wasBeingWritten = session.isBeingWritten();
    this.withLineFeeds = withLineFeeds;
    tally = new Tally(policy.maxFindings());
    canonicalization = new LogCanonicalization(policy.canonicalization());
    HashHints hints = new HashHints(canonicalization);
    receipt = session.receipt() == null
        ? null
        : PresentedReceipt.read(session.receipt(), tally, withLineFeeds);
    matcher = receipt == null
        ? null
        : ReceiptMatcher.of(receipt.source(), receipt.receipt(), tally, canonicalization, hints);
    lines = new LineDigest();
    signatures = new SignatureCheck(tally, policy.keys(), canonicalization);
    tree = new TreeVerifier(
        tally,
        lines,
        signatures,
        policy.checkpoints(),
        receipt == null ? null : receipt.receipt().tree());
    expectations = new ExpectationCheck(tally, policy.expectations());
    log = new LogVerifier(
        tally,
        canonicalization,
        new ContentVerifier(tally, canonicalization, hints, new Blobs(session)),
        matcher == null ? call -> {} : matcher::accept,
        lines,
        tree);
  }

  /**
   * Verifies the log that the reader reads, from its first line.
   *
   * @param cancelled is asked at each line
   * @throws CancellationException if it is no longer wanted
   */
  VerificationReport run(ReplayReader reader, BooleanSupplier cancelled) throws IOException {
    if (readAll(reader, cancelled)) {
      log.finish(reader.dialect());
      expectations.finish(lines);
      if (matcher != null) {
        matcher.finish(lines.hash());
      }
      signatures();
    }
    explainLineEndings(cancelled);
    return report(reader.dialect());
  }

  /** Says that the line ends were converted, if that is all that is wrong or a part of it. */
  private void explainLineEndings(BooleanSupplier cancelled) throws IOException {
    boolean isReceiptConverted = receipt != null && receipt.isConverted();
    // the places where the files of a log begin would be others
    boolean isLogConverted =
        log.endsEachLineWithCarriageReturn() && session.segments().size() == 1;
    if (withLineFeeds || tally.findingCounts().isEmpty()) {
      return;
    }
    if (isLogConverted || (isReceiptConverted && session.envelope() != null)) {
      SessionVerification other = new SessionVerification(policy, session, true);
      try (ReplayReader reader = isLogConverted ? LineEndings.reader(session) : session.reader()) {
        other.run(reader, cancelled);
      }
      String converted = !isLogConverted
          ? Session.RECEIPT_NAME
          : isReceiptConverted ? "log and receipt" : "the log";
      LineEndings.explain(tally, converted, other.tally, policy.failing());
    }
  }

  /** Returns whether all lines were read and understood, so that conclusions may be drawn. */
  private boolean readAll(ReplayReader reader, BooleanSupplier cancelled) throws IOException {
    boolean whole = true;
    SegmentChain segments = new SegmentChain(reader, lines::hash);
    while (!log.isUnsupported()) {
      if (cancelled.getAsBoolean()) {
        throw new CancellationException();
      }
      try {
        ReplayLine line = reader.read();
        if (line == null) {
          if (session.isBeingWritten()) {
            reportBeingWritten("a writer has the log open");
          } else if (wasBeingWritten && hasGrown()) {
            reportBeingWritten("a writer has ended the log meanwhile");
          }
          return whole;
        }
        if (isIncomplete(line)) {
          reportBeingWritten("a writer has the log open");
          return whole;
        }
        if (line.position().line() == 1 && reader.foreignFormat() != null) {
          log.foreign(reader.foreignFormat());
        }
        Finding misfit = segments.check(line);
        if (misfit != null) {
          tally.report(misfit);
        }
        log.accept(line);
        expectations.accept(line);
        if (sessionId == null) {
          sessionId = line.event().meta().sessionId();
        }
        lineNumber++;
        lineOffset += line.length() + 1L;
        if (matcher != null && whole) {
          matcher.accept(line);
        }
      } catch (OutOfMemoryError | StackOverflowError e) {
        throw tooLarge(reader.position(), e);
      } catch (ReplayFormatException unreadable) {
        if (unreadable.code() == FindingCode.TORN_TAIL && isBeingWritten()) {
          reportBeingWritten("a writer has the log open");
          return whole;
        }
        lineNumber = reader.position().line();
        lineOffset = reader.position().offset();
        whole = false;
        segments.loseHash();
        log.damaged();
        tally.count(Counter.UNREADABLE_LINES);
        tally.report(unreadable.toFinding());
        if (unreadable.code() == FindingCode.TORN_TAIL) {
          Position at = unreadable.position();
          Finding split = segments.checkTail(new Position(at.line(), at.lineOffset()));
          if (split != null) {
            tally.report(split);
          }
        }
        segments.skipTo(lineOffset);
        if (reader.foreignFormat() != null) {
          return false; // its other lines are no better
        }
      }
    }
    return false;
  }

  /** Says how many lines are signed, and by whom. */
  private void signatures() throws IOException {
    String ofAll = signerOfAll();
    long signed = ofAll == null ? tree.signed() : lines.lines();
    tally.add(Counter.LINES_SIGNED, signed);
    String signer = ofAll == null ? tree.signer() : ofAll;
    signers = signer == null || signed == 0 ? Set.of() : Set.of(signer);
  }

  /**
   * The trusted key that has signed what every line is: in the envelope where there is one, which
   * covers the receipt's bytes as well, else in the receipt. Null when none has.
   */
  private @Nullable String signerOfAll() throws IOException {
    String inReceipt = receipt == null ? null : signatures.signer(receipt);
    if (session.envelope() != null) {
      return signatures.signer(session.envelope(), lines.hash(), receipt);
    }
    return receipt != null && inReceipt != null && receipt.covers(lines) ? inReceipt : null;
  }

  /** Whether a writer has written the event, and not yet the line feed that commits it. */
  private boolean isIncomplete(ReplayLine line) {
    return !line.hasLineFeed() && isBeingWritten();
  }

  /** Says that there is more, or will be. */
  private void reportBeingWritten(String why) {
    tally.report(
        FindingCode.BEING_WRITTEN,
        new Position(lineNumber, lineOffset),
        why + ": it is verified up to here, and what follows is not read");
  }

  /** Whether the writer, which is gone, has written more since the end of the log was read. */
  private boolean hasGrown() throws IOException {
    if (withLineFeeds) {
      return false; // bytes are counted as if they had been others
    }
    long bytes = 0;
    for (Path segment : session.segments()) {
      bytes += Files.size(segment);
    }
    return bytes > lineOffset;
  }

  /** A writer may have closed the log since its last line was read. */
  private boolean isBeingWritten() {
    return wasBeingWritten || session.isBeingWritten();
  }

  /** The failure of the line that takes too much memory. */
  private NotEnoughMemoryException tooLarge(Position next, VirtualMachineError cause) {
    boolean isRead = next.line() > lineNumber;
    return new NotEnoughMemoryException(
        session,
        new Position(lineNumber, lineOffset),
        isRead ? next.offset() - lineOffset - 1 : 0,
        cause);
  }

  /** The receipt as it was read; null when there is none that can be. */
  @Nullable
  PresentedReceipt receipt() {
    return receipt;
  }

  /** The hash of the bytes of the lines that were events. */
  ContentHash logHash() {
    return lines.hash();
  }

  private @Nullable Canonicalization profile() {
    CanonicalJson canonical = canonicalization.get();
    return canonical == null ? null : canonical.canonicalization();
  }

  private VerificationReport report(@Nullable Dialect dialect) {
    Assessment assessment = new Assessment(policy, session, tally);
    return new VerificationReport(
        session,
        assessment.verdict(),
        assessment.unmet(),
        sessionId,
        lines.lines() == 0 ? null : lines.tree().root(),
        dialect,
        profile(),
        tally.counts(),
        tally.findingCounts(),
        tally.findings(),
        signers);
  }
}
