package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.receipt.RunTotals;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import dev.agentreplay.verify.input.LineDigest;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Verifies the structure of a log in one pass over its lines. */
final class LogVerifier {

  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

  private final Tally tally;
  private final LogCanonicalization canonicalization;
  private final ContentVerifier contents;
  private final ToolCallVerifier toolCalls;
  private final ModelCallVerifier modelCalls;
  private final PromptVerifier prompts;
  private final SnapshotVerifier snapshots;
  private final LineDigest lines;
  private final TreeVerifier tree;
  private final PublicTreeVerifier publicTree;

  private boolean headerSeen;
  private boolean otherSeen;
  private boolean unsupported;
  private boolean damaged;
  private boolean startSeen;
  private boolean isForeign;
  private boolean otherLineEnd;

  /** The canonical form of lines, which may round integers; null when it is not known. */
  private @Nullable CanonicalJson lineForm = CanonicalJson.SERDE;

  private @Nullable SessionEnd end;
  private @Nullable Position endAt;
  private @Nullable Timestamp lastTime;
  private final RunTotals totals = new RunTotals();

  /** Whether a latency has a fraction of a millisecond, so that the sum is not known here. */
  private boolean latencyIsFraction;

  /**
   * Creates a verifier of one log.
   *
   * @param canonicalization the canonicalization of the log, which is passed each event
   * @param contents the verifier of the values in its events
   * @param prompts the verifier of the prompts in its model calls
   * @param snapshots the verifier of the snapshots of the workspace
   * @param answered the receiver of each answered call, in the order of the results
   * @param lines the digest, to which each line is added after it was verified
   * @param tree the verifier of the tree roots stated for the lines
   * @param publicTree the verifier of the public roots stated for the lines
   */
  LogVerifier(
      Tally tally,
      LogCanonicalization canonicalization,
      ContentVerifier contents,
      PromptVerifier prompts,
      SnapshotVerifier snapshots,
      Consumer<AnsweredCall> answered,
      LineDigest lines,
      TreeVerifier tree,
      PublicTreeVerifier publicTree) {
    this.tally = tally;
    this.canonicalization = canonicalization;
    this.contents = contents;
    this.prompts = prompts;
    this.snapshots = snapshots;
    this.lines = lines;
    this.tree = tree;
    this.publicTree = publicTree;
    this.toolCalls = new ToolCallVerifier(tally, contents, answered);
    this.modelCalls = new ModelCallVerifier(tally);
  }

  /** Whether the version of the log is not supported, so that its lines cannot be interpreted. */
  boolean isUnsupported() {
    return unsupported;
  }

  /** Records that a line could not be read: calls and results after it can no longer be paired. */
  void damaged() {
    damaged = true;
    toolCalls.damaged();
    modelCalls.damaged();
    prompts.damaged();
    tree.damaged();
    publicTree.damaged();
  }

  /**
   * Reports that the file is probably not a log. Findings of each line are then counted, and only
   * errors are listed.
   *
   * @param format the format that its first line looks like
   */
  void foreign(String format) {
    isForeign = true;
    tally.listErrorsOnly();
    tally.report(
        FindingCode.HEADER_MISSING,
        null,
        "there is no ReplayHeader; the file looks like " + format);
  }

  /** Whether the log has lines, and each ends with a carriage return and a line feed. */
  boolean endsEachLineWithCarriageReturn() {
    return !damaged && !otherLineEnd && tally.get(Counter.EVENTS) > 0;
  }

  /**
   * Verifies the next line.
   *
   * @param dialect the dialect of the log; null when its first line has no event tag
   */
  void accept(ReplayLine line, @Nullable Dialect dialect) throws IOException {
    ReplayEvent event = line.event();
    Position at = line.position();
    tally.count(Counter.EVENTS);
    tally.count(event instanceof UnknownEvent ? Counter.UNKNOWN_EVENTS : Counter.KNOWN_EVENTS);
    canonicalization.accept(event);
    if (event instanceof ReplayHeader header) {
      header(header, at);
      if (unsupported) {
        if (header.version().isEmpty()) {
          line.findings().forEach(tally::report); // the reason why it cannot be read
        }
        return;
      }
    } else {
      otherSeen = true;
    }
    if (event instanceof SessionStart) {
      startSeen = true;
    }
    line.findings().forEach(tally::report);
    tree.accept(line);
    lines.add(line);
    publicTree.accept(line, dialect);
    canonicalForm(line);
    boolean isInvalid = line.findings().stream().anyMatch(LogVerifier::isInvalid);
    if (event instanceof UnknownEvent unknown && !isInvalid) {
      tally.report(FindingCode.UNKNOWN_EVENT, at, () -> "unknown event \"%s\""
          .formatted(Excerpt.of(unknown.type())));
    }
    for (Finding finding : EventRules.check(event)) {
      tally.report(finding.at(at));
    }
    if (event instanceof RecordingGap gap) {
      tally.report(
          FindingCode.RECORDING_GAP,
          at,
          "%d event%s not recorded".formatted(gap.events(), gap.events() == 1 ? " was" : "s were"));
    }
    if (end != null) {
      tally.report(
          FindingCode.EVENT_AFTER_END,
          at,
          () -> "event after the end of the session in line "
              + (endAt == null ? "?" : Long.toString(endAt.line())));
    }
    String missingTime = dialect == null || isInvalid ? null : dialect.missingTime(event);
    if (missingTime != null) {
      tally.reportListedOnce(
          FindingCode.TIME_MISSING, at, () -> missingTime + ", the time of the event, is missing");
    }
    time(event.time(), at);
    content(line);
  }

  /**
   * Completes the checks at the end of the log.
   *
   * @param dialect the dialect of the log; null when its first line has no event tag
   */
  void finish(@Nullable Dialect dialect) {
    if (!headerSeen && !isForeign) {
      boolean empty = tally.get(Counter.EVENTS) == 0;
      String missing =
          empty ? "the log is empty; expected a ReplayHeader" : "there is no ReplayHeader";
      tally.report(FindingCode.HEADER_MISSING, null, missing);
    }
    tree.finish();
    publicTree.finish();
    toolCalls.finish();
    if (!startSeen && (dialect == null || !dialect.hasSessionInHeader())) {
      tally.report(
          FindingCode.SESSION_START_MISSING, null, "the session has no start: no SessionStart");
    }
    modelCalls.finish();
    if (end == null) {
      tally.report(FindingCode.SESSION_END_MISSING, null, "the session has no end");
      return;
    }
    total(Names.TOTAL_TOOL_CALLS, end.totalToolCalls(), tally.get(Counter.TOOL_CALLS));
    if (!latencyIsFraction) {
      total(Names.TOTAL_LATENCY_MS, end.totalLatencyMillis(), totals.totalLatencyMillis());
    }
  }

  private void header(ReplayHeader header, Position at) {
    if (headerSeen || otherSeen) {
      tally.report(FindingCode.HEADER_NOT_FIRST, at, "a ReplayHeader that is not the first event");
    }
    headerSeen = true;
    String fault = header.versionFault();
    if (header.support() == ReplayHeader.Support.UNSUPPORTED) {
      unsupported = true;
      tally.report(FindingCode.UNSUPPORTED_VERSION, at, fault + ": the log is not checked");
    } else if (fault != null) {
      tally.report(FindingCode.VERSION_NEWER, at, fault);
    }
    lineForm();
    if (CanonicalJson.namedBy(header) == null) {
      tally.report(
          FindingCode.UNSUPPORTED_CANONICALIZATION,
          at,
          "canonicalization \"%s\" is not known: hashes are not checked"
              .formatted(Excerpt.of(String.valueOf(header.canonicalization()))));
    }
    Canonicalization assumed = canonicalization.assumed();
    if (assumed != null
        && header.canonicalization() != null
        && !header.canonicalization().equals(assumed.id())) {
      tally.report(
          FindingCode.UNSUPPORTED_CANONICALIZATION,
          at,
          "the header names the canonicalization \"%s\", but %s was requested"
              .formatted(Excerpt.of(String.valueOf(header.canonicalization())), assumed.id()));
    }
  }

  private void lineForm() {
    CanonicalJson canonical = canonicalization.get();
    lineForm = canonical == null ? null : canonical.withRoundedIntegers();
  }

  private void canonicalForm(ReplayLine line) {
    if (lineForm == null || line.isCanonical(lineForm)) {
      otherLineEnd = true;
      return;
    }
    otherLineEnd = otherLineEnd || !endsWithCarriageReturn(line);
    tally.report(FindingCode.NOT_CANONICAL, line.position(), "the line is not in canonical form");
  }

  private static boolean endsWithCarriageReturn(ReplayLine line) {
    byte[] raw = line.bytes();
    return raw.length > 0 && raw[raw.length - 1] == '\r';
  }

  private void time(@Nullable Timestamp time, Position at) {
    if (time == null) {
      return;
    }
    Timestamp last = lastTime;
    if (last != null
        && time.instant().isBefore(last.instant())
        && time.instant().plus(CLOCK_TOLERANCE).isBefore(last.instant())) {
      tally.report(
          FindingCode.TIME_WENT_BACKWARDS, at, () -> "%s follows %s".formatted(time, last));
    }
    lastTime = time;
  }

  private void content(ReplayLine line) {
    ReplayEvent event = line.event();
    Position at = line.position();
    totals.add(event);
    if (event instanceof ToolCall call) {
      toolCalls.call(call, line);
    } else if (event instanceof ToolResult result) {
      latencyIsFraction |= result.latencyMillis() == null
          && result.meta().extra().get(Names.LATENCY_MS) instanceof JsonNumber;
      toolCalls.result(result, line);
    } else if (event.kind().contentName() != null) {
      modelCalls.accept(event, at);
      payload(line);
    } else if (event instanceof Settings settings) {
      snapshots.settings(settings, line);
    } else if (event instanceof FileState state) {
      snapshots.fileState(state, line);
    } else if (event instanceof SessionEnd sessionEnd && end == null) {
      end = sessionEnd;
      endAt = at;
    }
  }

  /** Checks a value other than the parameters and the output of a tool. */
  private void payload(ReplayLine line) {
    HashCheck check = line.event() instanceof ModelCall call
        ? prompts.check(call, line)
        : contents.check(FindingCode.PAYLOAD_HASH_MISMATCH, line);
    switch (check.outcome()) {
      case VERIFIED -> tally.count(Counter.PAYLOAD_HASHES_VERIFIED);
      case MISMATCHED -> tally.count(Counter.PAYLOAD_HASHES_MISMATCHED);
      case UNVERIFIABLE -> tally.count(Counter.PAYLOAD_HASHES_UNVERIFIABLE);
      case MISSING -> {} // optional in these events
    }
  }

  private void total(String field, @Nullable Long stated, long counted) {
    if (stated != null && stated != counted) {
      String message = "%s is %d, but the events add up to %d".formatted(field, stated, counted);
      tally.report(new Finding(FindingCode.TOTALS_MISMATCH, endAt, message)
          .withValues(stated.toString(), Long.toString(counted)));
    }
  }

  private static boolean isInvalid(Finding finding) {
    return finding.code() == FindingCode.EVENT_INVALID;
  }
}
