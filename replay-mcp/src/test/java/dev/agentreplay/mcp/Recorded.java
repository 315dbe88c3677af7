package dev.agentreplay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A recorded session, and its events. */
record Recorded(Session session, List<ReplayEvent> events) {

  /** The one session in a directory, which is valid. */
  static Recorded in(Path sessions) throws Exception {
    List<SessionLocation> found = new ArrayList<>();
    Sessions.find(sessions).forEach(found::add);
    assertThat(found).hasSize(1);
    Session session = found.get(0).open().session();
    assertThat(SessionVerifier.of(VerifyPolicy.defaults()).verify(session).verdict())
        .isEqualTo(Verdict.VALID);
    return read(session);
  }

  /** Reads a session that may have no end. */
  static Recorded read(Session session) throws Exception {
    List<ReplayEvent> events = new ArrayList<>();
    try (var reader = session.reader()) {
      for (ReplayLine line : reader) {
        assertThat(line.findings())
            .allMatch(finding -> finding.code() == FindingCode.RECORDING_GAP);
        events.add(line.event());
      }
    }
    return new Recorded(session, events);
  }

  <T extends ReplayEvent> List<T> only(Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  List<String> runtimeTypes() {
    return only(RuntimeEvent.class).stream().map(RuntimeEvent::type).toList();
  }

  List<String> gaps() {
    return only(RecordingGap.class).stream()
        .map(gap -> String.valueOf(gap.reason()))
        .toList();
  }

  SessionEnd end() {
    assertThat(only(SessionEnd.class)).hasSize(1);
    return only(SessionEnd.class).get(0);
  }
}
