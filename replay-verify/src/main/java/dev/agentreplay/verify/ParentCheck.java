package dev.agentreplay.verify;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.ForkPrefix;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a log is a fork of a recording: that the tree over the first lines of the recording
 * has the head that the fork states, and that the fork repeats these lines. The recording is read
 * twice: to verify it, and for the comparison; the roots over all its lines must be equal.
 */
final class ParentCheck {

  private final Tally tally;
  private final Session parent;
  private final SignatureVerifier keys;
  private @Nullable ForkPrefix prefix;
  private boolean isHeaderRead;

  ParentCheck(Tally tally, Session parent, SignatureVerifier keys) {
    this.tally = tally;
    this.parent = parent;
    this.keys = keys;
  }

  /** Accepts the next line of the fork. */
  void accept(ReplayLine line) {
    if (!isHeaderRead) {
      isHeaderRead = true;
      prefix = line.event() instanceof ReplayHeader header ? prefix(header) : null;
      if (!(line.event() instanceof ReplayHeader)) {
        mismatch("the log has no header, which states the parent of a fork");
      }
    }
    String reason = prefix == null ? null : prefix.accept(line.event());
    if (reason != null) {
      tally.report(new Finding(FindingCode.FORK_PREFIX_MISMATCH, line.position(), reason)
          .withId(line.event().callId()));
    }
  }

  private @Nullable ForkPrefix prefix(ReplayHeader header) {
    ForkOrigin origin = ForkOrigin.of(header);
    if (origin == null) {
      mismatch(
          header.meta().extra().has(Names.FORKED_FROM)
              ? "the header states a %s that is not of the known form".formatted(Names.FORKED_FROM)
              : "the header states no %s: the session is not a fork".formatted(Names.FORKED_FROM));
      return null;
    }
    try {
      return read(origin, header.replayOf());
    } catch (IOException unreadable) {
      mismatch("the parent cannot be read: " + unreadable.getMessage());
      return null;
    }
  }

  /** Reads the recording. Returns what is before the point; null if it is not that of the fork. */
  private @Nullable ForkPrefix read(ForkOrigin origin, @Nullable ReplayOrigin replayed)
      throws IOException {
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults().withKeys(keys)).verify(parent);
    if (report.verdict() == Verdict.INVALID || report.verdict() == Verdict.UNREADABLE) {
      mismatch("the parent, %s, is %s".formatted(parent.log(), report.verdict().id()));
      return null;
    }
    long lines = report.count(Counter.EVENTS);
    TreeHead point = origin.head();
    if (point.size() > lines) {
      mismatch(
          "the fork begins after %d lines, but the parent has %d".formatted(point.size(), lines));
      return null;
    }
    long replayedLines = replayed == null ? 0 : replayed.head().size();
    ForkPrefix read = new ForkPrefix();
    MerkleTree tree = new MerkleTree();
    TreeHead atPoint = tree.head();
    TreeHead atReplay = tree.head();
    try (ReplayReader reader = parent.reader()) {
      while (tree.size() < lines) {
        ReplayLine line = reader.read();
        if (line == null) {
          break;
        }
        tree.add(line.bytes());
        if (tree.size() <= point.size()) {
          read.add(line.position().line(), line.event());
        }
        atPoint = tree.size() == point.size() ? tree.head() : atPoint;
        atReplay = tree.size() == replayedLines ? tree.head() : atReplay;
      }
    }
    read.end();
    if (tree.size() < lines || !tree.head().root().equals(report.root())) {
      throw new IOException(parent.log() + ": changed while it was read");
    }
    if (!atPoint.equals(point)) {
      mismatch(
          "the tree over the first %d lines of the parent has the root %s, but the fork states %s"
              .formatted(point.size(), atPoint.root(), point.root()));
      return null;
    }
    if (replayedLines > lines) {
      mismatch("the parent had %d lines when the fork was made, and has %d"
          .formatted(replayedLines, lines));
      return null;
    } else if (replayed != null && !atReplay.equals(replayed.head())) {
      mismatch(
          "the tree over the first %d lines of the parent has the root %s, but replay_of states %s"
              .formatted(replayedLines, atReplay.root(), replayed.head().root()));
      return null;
    }
    if (!Objects.equals(origin.sessionId(), report.sessionId())) {
      mismatch("the parent is the session %s, but the fork states %s"
          .formatted(report.sessionId(), origin.sessionId()));
      return null;
    }
    tally.add(Counter.PARENT_LINES_VERIFIED, point.size());
    return read;
  }

  /** Completes the check at the end of the fork. */
  void finish() {
    if (prefix == null) {
      return;
    }
    prefix.notRepeated(line -> tally.report(
        FindingCode.FORK_PREFIX_MISMATCH,
        () -> Finding.of(
            FindingCode.FORK_PREFIX_MISMATCH,
            "line %d of the parent is not repeated".formatted(line))));
    tally.add(Counter.FORKED_EVENTS_VERIFIED, prefix.verified());
  }

  private void mismatch(String message) {
    tally.report(Finding.of(FindingCode.PARENT_MISMATCH, message));
  }
}
