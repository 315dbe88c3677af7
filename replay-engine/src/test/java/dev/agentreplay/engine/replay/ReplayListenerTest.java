package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.verify.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a replay, as its listeners see it. */
class ReplayListenerTest {

  @TempDir
  Path home;

  private Session session;
  private final List<ReplayReport> reports = new ArrayList<>();
  private @Nullable Session compared;
  private long served;

  @BeforeEach
  void record() throws Exception {
    session = new SampleAgent(2).record(home.resolve("recorded"));
  }

  private ReplayListener listener() {
    return new ReplayListener() {
      @Override
      public void ended(ReplayReport report, @Nullable Session other) {
        reports.add(report);
        compared = other;
        try {
          served = other == null ? 0 : served(other);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private static long served(Session session) throws IOException {
    long count = 0;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        Provenance stated = Provenance.of(line.event());
        count += stated != null && stated.action().equals(Provenance.SERVED) ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void temporary_session_can_be_read_until_the_listener_returns() throws Exception {
    ReplayReport report =
        Replay.of(session).mode(ReplayMode.MOCK).listener(listener()).run(new SampleAgent(2));

    assertThat(reports).containsExactly(report);
    assertThat(served).isEqualTo(8); // each of four exchanges is a call and a result
    assertThat(report.directory()).isNull();
    assertThat(compared.log().getParent()).doesNotExist();
    assertThat(report.verification().verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void validation_has_the_other_recording_or_none() throws Exception {
    Session other = new SampleAgent(3).record(home.resolve("other"));
    ReplayReport report = Replay.of(session).against(other).listener(listener()).run();
    assertThat(compared).isSameAs(other);
    assertThat(reports).containsExactly(report);

    Replay.of(session).listener(listener()).run();
    assertThat(compared).isNull();
    assertThat(reports).hasSize(2);
  }

  @Test
  void listener_that_fails_does_not_affect_the_report_or_the_others() throws Exception {
    ReplayListener failing = new ReplayListener() {
      @Override
      public void ended(ReplayReport report, @Nullable Session other) {
        throw new IllegalStateException("full");
      }
    };
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .listener(failing)
        .listener(listener())
        .run(new SampleAgent(2));
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(reports).containsExactly(report);
  }
}
