package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.SegmentChain;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ImportOrigin;
import dev.agentreplay.model.ReplayHeader;
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
  private final PublicTreeVerifier publicTree;
  private final LogVerifier log;
  private final ExpectationCheck expectations;
  private Set<String> signers = Set.of();
  private final boolean wasBeingWritten;
  private @Nullable String sessionId;
  private @Nullable ImportOrigin importedFrom;

  /** The number of the line that is verified now or next. */
  private long lineNumber = 1;

  private long lineOffset;
  private final boolean withLineFeeds;

  SessionVerification(VerifyPolicy policy, Session session) throws IOException {
    this(policy, session, null, false);
  }

  /**
   * Creates the verification of a session that is to be signed: its public checkpoint is ignored,
   * because it is to be replaced.
   *
   * @param publicForm the form of the public tree to compute
   */
  static SessionVerification toSign(Session session, PublicForm publicForm) throws IOException {
    return new SessionVerification(
        VerifyPolicy.defaults(), session.withEnvelope(null), publicForm, false);
  }

  /**
   * Creates a verification.
   *
   * @param toSign the form of the public tree to be signed; null for a mere verification
   * @param withLineFeeds whether each CR LF in the log and the receipt is read as LF
   */
  private SessionVerification(
      VerifyPolicy policy, Session session, @Nullable PublicForm toSign, boolean withLineFeeds)
      throws IOException {
    this.policy = policy;
    this.session = session;
    wasBeingWritten = session.isBeingWritten();
    this.withLineFeeds = withLineFeeds;
    tally = new Tally(policy.maxFindings());
    canonicalization = new LogCanonicalization(policy.canonicalization());
    HashHints hints = new HashHints(canonicalization);
    receipt = PresentedReceipt.read(session, tally, withLineFeeds);
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
    PublishedLines published = new PublishedLines(tally);
    Path checkpoint = toSign == null ? session.publicCheckpoint() : null;
    publicTree = new PublicTreeVerifier(
        tally,
        canonicalization,
        published,
        checkpoint != null,
        checkpoint == null ? null : signatures.publicCheckpoint(checkpoint),
        policy.publicCheckpoints(),
        receipt,
        toSign);
    expectations = new ExpectationCheck(tally, published, policy);
    ContentVerifier contents =
        new ContentVerifier(tally, canonicalization, hints, new Blobs(session), published);
    log = new LogVerifier(
        tally,
        canonicalization,
        contents,
        new PromptVerifier(tally, canonicalization, contents, session),
        new SnapshotVerifier(tally, session, published),
        matcher == null ? call -> {} : matcher::accept,
        lines,
        tree,
        publicTree);
  }

  /**
   * Verifies the log from its first line.
   *
   * @param reader the reader of the log
   * @param cancelled whether to stop; called before each line
   * @throws CancellationException if the verification was cancelled
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

  /** Reports converted line ends, if they cause any of the findings. */
  private void explainLineEndings(BooleanSupplier cancelled) throws IOException {
    boolean isReceiptConverted = receipt != null && receipt.isConverted();
    // the offsets at which segments begin would differ
    boolean isLogConverted =
        log.endsEachLineWithCarriageReturn() && session.segments().size() == 1;
    if (withLineFeeds || tally.findingCounts().isEmpty()) {
      return;
    }
    if (isLogConverted || (isReceiptConverted && session.envelope() != null)) {
      SessionVerification other = new SessionVerification(policy, session, null, true);
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
            reportBeingWritten("a writer closed the log during the verification");
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
        log.accept(line, reader.dialect());
        if (line.position().line() == 1) {
          reader.hashLeavesAhead();
          reader.decodeAhead(canonicalization.get());
        }
        expectations.accept(line, reader.dialect());
        if (line.event() instanceof ReplayHeader header && importedFrom == null) {
          importedFrom = ImportOrigin.of(header);
        }
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
          return false; // the other lines are not events either
        }
      }
    }
    return false;
  }

  /** Counts the signed lines, and determines the signer. */
  private void signatures() throws IOException {
    String ofBytes = signerOfAll();
    String ofAll = ofBytes == null ? publicTree.signer() : ofBytes;
    long signed = ofAll == null ? tree.signed() : lines.lines();
    tally.add(Counter.LINES_SIGNED, signed);
    String signer = ofAll == null ? tree.signer() : ofAll;
    signers = signer == null || signed == 0 ? Set.of() : Set.of(signer);
  }

  /**
   * The trusted key that signed all lines: in the envelope if there is one, because it also covers
   * the bytes of the receipt; otherwise in the receipt. Null when no trusted key did.
   */
  private @Nullable String signerOfAll() throws IOException {
    String inReceipt = receipt == null ? null : signatures.signer(receipt);
    if (session.envelope() != null) {
      return signatures.signer(session.envelope(), lines.hash(), receipt);
    }
    return receipt != null && inReceipt != null && receipt.covers(lines) ? inReceipt : null;
  }

  /** Whether the event has been written, but not the line feed that commits it. */
  private boolean isIncomplete(ReplayLine line) {
    return !line.hasLineFeed() && isBeingWritten();
  }

  /** Reports that the log may continue after the lines that were read. */
  private void reportBeingWritten(String why) {
    tally.report(
        FindingCode.BEING_WRITTEN,
        new Position(lineNumber, lineOffset),
        why + ": it is verified up to here, and later lines are not read");
  }

  /** Whether the writer, which has closed the log, wrote more after the end of the log was read. */
  private boolean hasGrown() throws IOException {
    if (withLineFeeds) {
      return false; // bytes are counted after the conversion of line ends
    }
    long bytes = 0;
    for (Path segment : session.segments()) {
      bytes += Files.size(segment);
    }
    return bytes > lineOffset;
  }

  /**
   * Whether the log is being written, or was at the beginning: a writer may have closed it since.
   */
  private boolean isBeingWritten() {
    return wasBeingWritten || session.isBeingWritten();
  }

  /** Returns the failure of the line that takes too much memory. */
  private NotEnoughMemoryException tooLarge(Position next, VirtualMachineError cause) {
    boolean isRead = next.line() > lineNumber;
    return new NotEnoughMemoryException(
        session,
        new Position(lineNumber, lineOffset),
        isRead ? next.offset() - lineOffset - 1 : 0,
        cause);
  }

  /** The receipt that was read; null when there is none or it is unreadable. */
  @Nullable
  PresentedReceipt receipt() {
    return receipt;
  }

  /** The checkpoint of the public tree, to be signed; null when the log has no salt. */
  @Nullable
  PublicCheckpoint publicCheckpoint() {
    return publicTree.requested();
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
        signers,
        publicTree.publication(),
        importedFrom);
  }
}
