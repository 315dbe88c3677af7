package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of replays. */
class ReplayMetricsTest {

  private static final int TURNS = 3;

  @TempDir
  private Path directory;

  private Session session;
  private final Measured measured = new Measured();

  @BeforeEach
  void record() throws Exception {
    session = new SampleAgent(TURNS).record(directory.resolve("recorded"));
  }

  /** Metrics that keep each measurement as text. */
  private static final class Measured implements ReplayMetrics {

    private final List<String> all = new ArrayList<>();
    private final List<Duration> durations = new ArrayList<>();
    private long divergences;

    @Override
    public void replayed(ReplayMode mode, ReplayVerdict verdict, Duration duration) {
      all.add(mode.id() + " " + verdict.id());
      durations.add(duration);
    }

    @Override
    public void diverged(ReplayMode mode, String kind, DivergenceSeverity severity, long count) {
      all.add("%s %s %s: %d".formatted(mode.id(), kind, severity.id(), count));
      divergences += count;
    }
  }

  private Replay replay(ReplayMode mode) {
    return Replay.of(session).mode(mode).metrics(measured);
  }

  @Test
  void identical_replay_is_measured_once_with_its_duration() throws Exception {
    ReplayReport report = replay(ReplayMode.MOCK).run(new SampleAgent(TURNS));

    assertThat(measured.all).containsExactly("mock identical");
    assertThat(measured.durations).containsExactly(report.duration());
  }

  @Test
  void divergences_are_counted_by_kind_and_severity() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.skippedTurn = 1;
    agent.extraCalls = 2;
    agent.swallows = true;
    ReplayReport report = replay(ReplayMode.MOCK).onUnmatched(OnUnmatched.ERROR).run(agent);

    assertThat(measured.all)
        .containsExactly("mock diverged", "mock MISS major: 3", "mock UNREAD major: 1");
    assertThat(measured.divergences).isEqualTo(report.divergenceCount());
  }

  @Test
  void live_answers_that_differ_are_counted() throws Exception {
    replay(ReplayMode.NODE)
        .model((call, pieces) -> ModelResult.of(call.id(), "a different file"))
        .run();

    assertThat(measured.all)
        .containsExactlyInAnyOrder(
            "node diverged", "node RESPONSE moderate: 3", "node NOT_REEXECUTED minor: 1");
  }

  @Test
  void validation_is_measured_with_the_divergences_of_its_comparison() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.skippedTurn = 1;
    Session other = agent.record(directory.resolve("other"));

    ReplayReport report = replay(ReplayMode.VALIDATION).against(other).run();

    assertThat(measured.all).startsWith("validation diverged").hasSizeGreaterThan(1);
    assertThat(measured.divergences).isEqualTo(report.divergenceCount()).isPositive();
    assertThat(measured.durations).containsExactly(report.duration());
  }

  @Test
  void replay_that_is_finished_twice_is_measured_once() throws Exception {
    try (ActiveReplay active = replay(ReplayMode.MOCK).start()) {
      new SampleAgent(TURNS).run(active.scope());
      active.finish();
      active.finish();
    }

    assertThat(measured.all).containsExactly("mock identical");
  }

  @Test
  void replay_without_a_report_is_not_measured() throws Exception {
    Path log = session.log();
    Files.writeString(log, Files.readString(log).replace("file-1", "file-9"));

    assertThatThrownBy(() -> replay(ReplayMode.MOCK).run(new SampleAgent(TURNS)))
        .isInstanceOf(ReplayRefusedException.class);
    replay(ReplayMode.MOCK).force(true).start().close();

    assertThat(measured.all).isEmpty();
  }

  @Test
  void exception_is_logged_and_changes_nothing() throws Exception {
    RuntimeException broken = new IllegalStateException("the registry is closed");
    TestLog log = new TestLog(Level.WARNING);

    ReplayReport report = replay(ReplayMode.MOCK)
        .logger(log)
        .metrics(new ReplayMetrics() {
          @Override
          public void replayed(ReplayMode mode, ReplayVerdict verdict, Duration duration) {
            throw broken;
          }

          @Override
          public void diverged(
              ReplayMode mode, String kind, DivergenceSeverity severity, long count) {}
        })
        .run(new SampleAgent(TURNS));

    assertThat(report.isIdentical()).isTrue();
    assertThat(log.entries()).hasSize(1);
    assertThat(log.only("replay.metrics_failed").thrown()).isSameAs(broken);
  }
}
