package dev.agentreplay.junit;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.RecordedToolCall.Result;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The content of a log that assertions check. All calls are in memory, except their blobs. */
final class RecordedLog {

  /** The end of a session with its line. */
  record End(long line, SessionEnd event) {}

  private final Session session;
  private final List<Call> made = new ArrayList<>();
  private final Map<Integer, Result> results = new HashMap<>();
  private final List<Result> stray = new ArrayList<>();
  private final CallPairing<Integer> pairing = new CallPairing<>(Integer.MAX_VALUE);
  private CanonicalJson canonical = CanonicalJson.SERDE;
  private @Nullable End end;
  private @Nullable String gap;
  private long lines;
  private boolean hasHeader;
  private boolean isBlank = true;

  /** A call with its line. */
  private record Call(long line, ToolCall event) {}

  private RecordedLog(Session session) {
    this.session = session;
  }

  /**
   * Reads a log.
   *
   * @throws IOException if a line cannot be read or is an invalid event, or if the header is
   *     missing or has an unknown version: an assertion that skipped it could pass by accident
   */
  static RecordedLog read(Session session) throws IOException {
    RecordedLog log = new RecordedLog(session);
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        log.add(line);
      }
    }
    if (!log.hasHeader) {
      throw new IOException("%s: expected a ReplayHeader, found none in %s"
          .formatted(session.log(), PlainText.count(log.lines, "line")));
    }
    return log;
  }

  private void add(ReplayLine line) throws IOException {
    for (Finding finding : line.findings()) {
      if (finding.code() == FindingCode.EVENT_INVALID
          || finding.code() == FindingCode.FIELD_INVALID) {
        throw invalid(line, finding.message());
      }
    }
    lines = line.position().line();
    isBlank &= line.event() instanceof ReplayHeader || line.event() instanceof SessionStart;
    if (line.event() instanceof ReplayHeader header) {
      if (header.support() == ReplayHeader.Support.UNSUPPORTED) {
        throw invalid(
            line, "expected a log of version 1, found version " + Shown.name(header.version()));
      }
      hasHeader = true;
      CanonicalJson named = CanonicalJson.namedBy(header);
      canonical = named == null ? CanonicalJson.SERDE : named;
    } else if (line.event() instanceof ToolCall call) {
      pairing.call(call.id(), call.meta().agent(), made.size());
      made.add(new Call(lines, call));
    } else if (line.event() instanceof ToolResult result) {
      answer(new Result(lines, result));
    } else if (line.event() instanceof RecordingGap missing && gap == null) {
      gap = "%s not recorded before line %d%s"
          .formatted(
              PlainText.count(missing.events(), "event"),
              lines,
              missing.reason() == null ? "" : ": " + Shown.text(missing.reason()));
    } else if (line.event() instanceof SessionEnd last) {
      end = new End(lines, last);
    }
  }

  private IOException invalid(ReplayLine line, String message) {
    return new IOException("%s: %s: %s".formatted(session.log(), line.position(), message));
  }

  private void answer(Result result) {
    Integer call = pairing.result(result.event().id(), result.event().meta().agent());
    if (call == null) {
      stray.add(result);
    } else {
      results.put(call, result);
    }
  }

  /** The calls, in the order of the log. */
  List<RecordedToolCall> calls() {
    List<RecordedToolCall> calls = new ArrayList<>(made.size());
    for (Call call : made) {
      int index = calls.size();
      calls.add(new RecordedToolCall(
          session, canonical, index, call.line(), call.event(), results.get(index)));
    }
    return calls;
  }

  /** The results without a call. */
  List<Result> strayResults() {
    return stray;
  }

  /** The last end of the session; null if there is none. */
  @Nullable
  End end() {
    return end;
  }

  /** A description of the first gap in the recording; null if there is none. */
  @Nullable
  String gap() {
    return gap;
  }

  /** Whether the log has only a header and the start of a session. */
  boolean isBlank() {
    return isBlank;
  }

  /** The number of lines of the log. */
  long lines() {
    return lines;
  }
}
