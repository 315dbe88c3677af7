package dev.agentreplay.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A session as it was recorded. */
record Recorded(Session session, List<ReplayEvent> events) {

  /** The only session below a directory, which is what its receipt says. */
  static Recorded only(Path sessions) {
    List<Recorded> all = all(sessions);
    assertThat(all).hasSize(1);
    return all.get(0).isValid();
  }

  /** The sessions below a directory. */
  static List<Recorded> all(Path sessions) {
    List<Recorded> all = new ArrayList<>();
    try {
      for (SessionLocation place : Sessions.find(sessions)) {
        all.add(read(place.open().session()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  static Recorded read(Session session) throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = session.readerWithFullPrompts()) {
      for (ReplayLine line : reader) {
        events.add(line.event());
      }
    }
    return new Recorded(session, events);
  }

  Recorded isValid() {
    VerificationReport report;
    try {
      report = SessionVerifier.of(VerifyPolicy.defaults()).verify(session);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(report.verdict()).as("%s", report.findings()).isEqualTo(Verdict.VALID);
    assertThat(report.findings())
        .extracting(Finding::severity)
        .doesNotContain(Severity.ERROR, Severity.UNREADABLE);
    return this;
  }

  <E extends ReplayEvent> List<E> all(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  SessionStart start() {
    return all(SessionStart.class).get(0);
  }

  SessionEnd end() {
    List<SessionEnd> ends = all(SessionEnd.class);
    assertThat(ends).hasSize(1);
    return ends.get(0);
  }

  boolean hasEnded() {
    return !all(SessionEnd.class).isEmpty();
  }

  List<ToolCall> toolCalls() {
    return all(ToolCall.class);
  }

  List<ToolResult> toolResults() {
    return all(ToolResult.class);
  }

  List<ModelCall> modelCalls() {
    return all(ModelCall.class);
  }

  List<ModelResult> modelResults() {
    return all(ModelResult.class);
  }

  /** The tags of its events, without header and start. */
  List<String> kinds() {
    return events.stream().skip(2).map(event -> event.kind().id()).toList();
  }
}
