package dev.agentreplay.verify;

import dev.agentreplay.canonical.tree.ConsistencyProof;
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
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a log is a fork of a recording: that the tree of the recording grew from the head
 * that the fork states, and that the fork repeats what is before it.
 */
final class ParentCheck {

  private final Tally tally;
  private final Session parent;
  private @Nullable ForkPrefix prefix;
  private boolean isHeaderRead;

  ParentCheck(Tally tally, Session parent) {
    this.tally = tally;
    this.parent = parent;
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
    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()).verify(parent);
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
    ForkPrefix read = new ForkPrefix();
    ConsistencyProof proof = read(read, point.size(), lines);
    if (!proof.first().equals(point)) {
      mismatch(
          "the tree over the first %d lines of the parent has the root %s, but the fork states %s"
              .formatted(point.size(), proof.first().root(), point.root()));
      return null;
    }
    if (!proof.holds()) {
      throw new IOException(parent.log() + ": changed while it was read");
    }
    if (replayed != null
        && replayed.head().size() == lines
        && !replayed.head().root().equals(report.root())) {
      mismatch("the tree over the %d lines of the parent has the root %s, but the fork states %s"
          .formatted(lines, report.root(), replayed.head().root()));
      return null;
    }
    tally.add(Counter.PARENT_LINES_VERIFIED, point.size());
    return read;
  }

  private ConsistencyProof read(ForkPrefix prefix, long point, long lines) throws IOException {
    ConsistencyProof.Builder proof = ConsistencyProof.builder(point, lines);
    try (ReplayReader reader = parent.reader()) {
      ReplayLine line = reader.read();
      for (long read = 0; read < lines && line != null; read++, line = reader.read()) {
        proof.add(line.bytes());
        if (read < point) {
          prefix.add(line.position().line(), line.event());
        }
      }
    }
    try {
      return proof.build();
    } catch (IllegalStateException shorter) {
      throw new IOException(parent.log() + ": changed while it was read", shorter);
    }
  }

  /** Completes the check at the end of the fork. */
  void finish() {
    if (prefix == null) {
      return;
    }
    for (String reason : prefix.notRepeated()) {
      tally.report(Finding.of(FindingCode.FORK_PREFIX_MISMATCH, reason));
    }
    tally.add(Counter.FORKED_EVENTS_VERIFIED, prefix.verified());
  }

  private void mismatch(String message) {
    tally.report(Finding.of(FindingCode.PARENT_MISMATCH, message));
  }
}
