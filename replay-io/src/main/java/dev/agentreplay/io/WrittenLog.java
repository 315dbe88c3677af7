package dev.agentreplay.io;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EncodedLine;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.internal.RunningHash;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventRules;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a log holds so far: how many lines, with which hash, and what their events come to, which
 * the end of the session states. Not safe for use by several threads, but for {@link #hashBatch}.
 */
final class WrittenLog {

  private final Dialect dialect;
  private final Canonicalization canonicalization;
  private final RunningHash hash = new RunningHash();
  private long lines;
  private long toolCalls;
  private long latencyMillis;
  private boolean ended;

  WrittenLog(Dialect dialect, Canonicalization canonicalization) {
    this.dialect = dialect;
    this.canonicalization = canonicalization;
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

  /** Whether the session has ended. */
  boolean hasEnded() {
    return ended;
  }

  /** The hash of the bytes. */
  ContentHash hash() {
    return hash.toHash();
  }

  /** Computes what has come together of the hash; by any thread, at any time. */
  void hashBatch() {
    hash.catchUp();
  }

  /** A line was written. */
  WrittenEvent add(ReplayEvent event, LineEncoder encoder, EncodedLine encoded, long offset)
      throws IOException {
    encoder.writeTo(hash);
    count(event);
    return new WrittenEvent(
        event, new Position(lines, offset), encoded.time(), encoded.contentHash());
  }

  /** A line was there. */
  void add(ReplayLine line) throws IOException {
    line.writeTo(hash);
    count(line.event());
  }

  private void count(ReplayEvent event) {
    lines++;
    if (event instanceof ToolCall) {
      toolCalls++;
    } else if (event instanceof ToolResult result) {
      latencyMillis = EventRules.addTotal(latencyMillis, result.latencyMillis());
    } else if (event instanceof SessionEnd) {
      ended = true;
    }
  }

  /** The event with the default policy, if it is the start of a session that says none. */
  ReplayEvent withPolicy(ReplayEvent event) {
    if (dialect != Dialect.DRAFT && event instanceof SessionStart start && start.policy() == null) {
      String policy = EventRules.DEFAULT_POLICY;
      return start.withPolicy(
          dialect == Dialect.EVENT ? PolicyId.version(policy) : PolicyId.bundle(policy));
    }
    return event;
  }

  /**
   * The end of the session with its totals, and the default confidence if it says none.
   *
   * @throws IllegalArgumentException if it states other totals
   */
  SessionEnd complete(SessionEnd end) {
    requireTotal("total_tool_calls", end.totalToolCalls(), toolCalls);
    requireTotal("total_latency_ms", end.totalLatencyMillis(), latencyMillis);
    if (dialect == Dialect.DRAFT) {
      return end;
    }
    SessionEnd complete = end.withTotals(toolCalls, latencyMillis);
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
