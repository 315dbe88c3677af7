package dev.agentreplay.engine.repeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.agreement.Stability;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.engine.report.FlakinessJson;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several replays of one recording, of which some differ. */
class RepeatedReplayTest {

  @TempDir
  private Path directory;

  private Session recording;
  private Path out;
  private final AtomicInteger runs = new AtomicInteger();

  /** The load that the tool returns in each run; the last one is repeated. */
  private List<Integer> loads = List.of(1);

  @BeforeEach
  void record() throws Exception {
    out = directory.resolve("runs");
    Path place = directory.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(place, "recorded")) {
      agent(AgentScope.recording(recorder, executors(1)));
    }
    recording = Session.open(place);
  }

  private static Executors executors(int load) {
    return Executors.none()
        .withTool("load", ToolExecutor.of(params -> JsonObject.of("load", load)))
        .withTool("stay", ToolExecutor.of(params -> "same"));
  }

  private static void agent(AgentScope scope) throws Exception {
    scope.call("stay", Map.of("n", 1));
    scope.call("load", Map.of("host", "web-1"));
    scope.call("stay", Map.of("n", 2));
    scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(0.9));
  }

  private Replay replay(@Nullable Path own) {
    int run = runs.getAndIncrement();
    return Replay.of(recording)
        .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE)
            .withEffect("load", Effect.PURE)
            .withEffect("stay", Effect.PURE))
        .executors(executors(loads.get(Math.min(run, loads.size() - 1))))
        .directory(own);
  }

  private RepeatedReport repeat(int times) throws Exception {
    return RepeatedReplay.of(recording, times).directory(out).run(own -> replay(own)
        .run(RepeatedReplayTest::agent));
  }

  @Test
  void replays_that_pass_are_stable() throws Exception {
    RepeatedReport report = repeat(3);

    assertThat(report.verdict()).isEqualTo(RepeatedReport.Verdict.PASSED);
    assertThat(report.passRate()).isEqualTo(100);
    assertThat(report.reports()).hasSize(3);
    assertThat(report.agreement().verdict()).isEqualTo(Stability.STABLE);
    assertThat(report.first()).isNull();
    for (int i = 1; i <= 3; i++) {
      assertThat(out.resolve(Integer.toString(i)).resolve("REPLAY.jsonl")).exists();
    }
    assertThat(TextReport.render(report))
        .startsWith("3 of 3 replays pass (100.0%), all identical\n\nstable · 100.0% agreement");
  }

  @Test
  void flaky_step_is_named_with_the_pass_rate_and_the_runs() throws Exception {
    loads = List.of(1, 2, 1, 2);

    RepeatedReport report = repeat(4);

    assertThat(report.verdict()).isEqualTo(RepeatedReport.Verdict.DIVERGED);
    assertThat(report.passed()).isEqualTo(2);
    assertThat(report.passRate()).isEqualTo(50);
    assertThat(report.verdicts())
        .containsEntry(ReplayVerdict.IDENTICAL, 2)
        .containsEntry(ReplayVerdict.DIVERGED, 2);
    assertThat(report.first().step().name()).isEqualTo("load");
    assertThat(report.first().stability()).isEqualTo(Stability.FLAKY);
    assertThat(TextReport.render(report))
        .startsWith("2 of 4 replays pass (50.0%), 2 identical, 2 diverged\n  2  diverged  OUTPUT ")
        .contains("flaky at #1: load", "2 of 4 match  flaky       = a = a")
        .contains("differences of run 2: replay diff with the first session and that run");
    assertThat(TextReport.render(report.withoutSessions())).doesNotContain("replay diff");
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    HtmlViewer.render(report.diffs(), recording, report.sessions(), page);
    assertThat(page.toString(StandardCharsets.UTF_8)).contains("\"stability\":\"flaky\"");
  }

  @Test
  void json_fits_the_published_schema() throws Exception {
    loads = List.of(1, 2);
    RepeatedReport report = repeat(2);
    JsonObject json = FlakinessJson.render(report);

    assertThat(ReportSchemas.faults(json)).isEmpty();
    assertThat(json.at("/pass_rate").toString()).isEqualTo("50.0");
    assertThat(json.at("/replays/1/recording").asString())
        .isEqualTo(out.resolve("2").toString());
    assertThat(json.at("/agreement/verdict").asString()).isEqualTo("flaky");
    assertThat(json.at("/first/tool").asString()).isEqualTo("load");
    assertThat(ReportSchemas.faults(json.without("agreement"))).isNotEmpty();
    assertThat(ReportSchemas.faults(
            json.with("agreement", json.at("/agreement").asObject().without("left"))))
        .isNotEmpty();
  }

  @Test
  void aborted_replay_is_the_last_and_is_reported() throws Exception {
    RepeatedReport report = RepeatedReplay.of(recording, 5).directory(out).run(own -> {
      Replay replay = replay(own);
      if (runs.get() == 3) {
        ReplayControl control = new ReplayControl();
        control.abort("interrupted");
        replay.control(control);
      }
      return replay.run(RepeatedReplayTest::agent);
    });

    assertThat(report.reports()).hasSize(3);
    assertThat(report.isInterrupted()).isTrue();
    assertThat(report.passed()).isEqualTo(2);
    assertThat(report.verdict()).isEqualTo(RepeatedReport.Verdict.INCOMPLETE);
    assertThat(TextReport.render(report))
        .startsWith("2 of 3 replays pass (66.6%), 2 identical, 1 incomplete; interrupted, 5 were")
        .contains("1 replay stopped early; below, steps that were not reached count as matches");
  }

  @Test
  void condition_stops_before_the_next_replay() throws Exception {
    RepeatedReport report = RepeatedReplay.of(recording, 5)
        .stopWhen(() -> runs.get() == 2)
        .run(own -> replay(own).run(RepeatedReplayTest::agent));

    assertThat(report.reports()).hasSize(2);
    assertThat(report.isInterrupted()).isTrue();
    assertThat(report.verdict()).isEqualTo(RepeatedReport.Verdict.INCOMPLETE);
    assertThat(report.sessions()).as("not kept").isEmpty();
    assertThat(report.agreement().runs()).extracting(run -> run.name()).contains("run 1", "run 2");
  }

  @Test
  void unverified_replay_makes_the_whole_incomplete() throws Exception {
    RepeatedReport report = RepeatedReplay.of(recording, 2).run(own -> Replay.of(recording)
        .mode(ReplayMode.FULL)
        .executors(executors(1))
        .directory(own)
        .run(RepeatedReplayTest::agent));

    assertThat(report.reports())
        .allMatch(each -> each.verdict() == ReplayVerdict.UNVERIFIED
            || each.verdict() == ReplayVerdict.INCOMPLETE);
    assertThat(report.verdict()).isEqualTo(RepeatedReport.Verdict.INCOMPLETE);
    assertThat(report.passRate()).isZero();
  }

  @Test
  void recording_is_the_same_by_a_different_path() throws Exception {
    Files.createDirectories(directory.resolve("runs-of"));
    Session same = Session.open(directory.resolve("runs-of").resolve("..").resolve("recorded"));
    assertThat(same.log()).isNotEqualTo(recording.log());

    RepeatedReport report =
        RepeatedReplay.of(same, 2).run(own -> replay(own).run(RepeatedReplayTest::agent));

    assertThat(report.reports()).hasSize(2);
  }

  @Test
  void wrong_use_is_refused() throws Exception {
    assertThatThrownBy(() -> RepeatedReplay.of(recording, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected two or more replays, found 1");
    Files.createDirectories(out);
    Files.writeString(out.resolve("file"), "x");
    assertThatThrownBy(() -> repeat(2)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(runs).hasValue(0);
    RepeatedReplay once = RepeatedReplay.of(recording, 2);
    once.run(own -> replay(own).run(RepeatedReplayTest::agent));
    assertThatThrownBy(() -> once.run(own -> replay(own).run(RepeatedReplayTest::agent)))
        .isInstanceOf(IllegalStateException.class);
  }
}
