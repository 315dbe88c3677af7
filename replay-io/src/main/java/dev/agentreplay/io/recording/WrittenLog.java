package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.dialect.LineEncoder.EncodedLine;
import dev.agentreplay.io.log.LogDigest;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.receipt.RunTotals;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The content of a log so far: the number of lines, their hash and tree, and the totals of their
 * events, which the end of the session states. Not safe for use by several threads, except
 * {@link #passOnBatch}.
 */
final class WrittenLog {

  /**
   * The state of the log at some point: the hash of its bytes, and the head of its tree if there is
   * one.
   */
  record Digest(ContentHash hash, @Nullable TreeHead tree) {}

  private final Dialect dialect;
  private final Canonicalization canonicalization;
  private final LogDigest digest;
  private long lines;
  private long linesSinceCheckpoint;
  private final RunTotals totals = new RunTotals();
  private boolean ended;

  /**
   * Creates the account of a log without lines.
   *
   * @param hasTree whether the tree over its lines is computed
   */
  WrittenLog(Dialect dialect, Canonicalization canonicalization, boolean hasTree) {
    this.dialect = dialect;
    this.canonicalization = canonicalization;
    this.digest = new LogDigest(hasTree);
  }

  Dialect dialect() {
    return dialect;
  }

  Canonicalization canonicalization() {
    return canonicalization;
  }

  long lines() {
    return lines;
  }

  /** The number of lines after the last checkpoint. */
  long linesSinceCheckpoint() {
    return linesSinceCheckpoint;
  }

  /** Whether the session has ended. */
  boolean hasEnded() {
    return ended;
  }

  /**
   * The hash of the bytes, and the tree over the lines; null if an Error has interrupted their
   * computation.
   */
  @Nullable
  Digest digest() {
    Digest made = new Digest(digest.toHash(), digest.toTree());
    return digest.isBroken() ? null : made;
  }

  /** Lets a batch of lines be hashed, if it is full; may be called by any thread, at any time. */
  void passOnBatch() {
    digest.passOn();
  }

  /** The event that is written next, with its position. */
  WrittenEvent next(ReplayEvent event, EncodedLine encoded, long offset) {
    return new WrittenEvent(
        event, new Position(lines + 1, offset), encoded.time(), encoded.contentHash());
  }

  /** Adds a line that was written. */
  void add(ReplayEvent event, LineEncoder encoder) throws IOException {
    encoder.writeTo(digest);
    count(event);
  }

  /** Adds a line that was read. */
  void add(ReplayLine line) {
    try {
      line.writeLineTo(digest);
    } catch (IOException e) { // the digest does no I/O
      throw new UncheckedIOException(e);
    }
    count(line.event());
  }

  private void count(ReplayEvent event) {
    lines++;
    linesSinceCheckpoint = event instanceof Checkpoint ? 0 : linesSinceCheckpoint + 1;
    totals.add(event);
    ended |= event instanceof SessionEnd;
  }

  /** The event with the default policy, if it is the start of a session without a policy. */
  ReplayEvent withPolicy(ReplayEvent event) {
    return event instanceof SessionStart start
            && start.policy() == null
            && !dialect.hasSessionInHeader()
        ? start.withPolicy(new PolicyId(EventRules.DEFAULT_POLICY, dialect.policyForm()))
        : event;
  }

  /**
   * The end of the session with its totals, and the default confidence if it states none.
   *
   * @throws IllegalArgumentException if it states different totals
   */
  SessionEnd complete(SessionEnd end) {
    requireTotal(Names.TOTAL_TOOL_CALLS, end.totalToolCalls(), totals.toolCalls());
    requireTotal(Names.TOTAL_LATENCY_MS, end.totalLatencyMillis(), totals.totalLatencyMillis());
    if (!dialect.hasTotals()) {
      return end;
    }
    SessionEnd complete = end.withTotals(totals.toolCalls(), totals.totalLatencyMillis());
    return end.confidence() != null
        ? complete
        : complete.withConfidence(EventRules.defaultConfidence(end.status()));
  }

  private static void requireTotal(String field, @Nullable Long stated, long counted) {
    if (stated != null && stated != counted) {
      throw new IllegalArgumentException(
          "%s is %d, but the events that were written make %d".formatted(field, stated, counted));
    }
  }
}
