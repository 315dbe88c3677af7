package dev.agentreplay.junit;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Assertions on the reports of replays. */
class ReplayReportAssertTest {

  @TempDir
  private Path directory;

  private Path recording;

  @BeforeEach
  void record() throws IOException {
    recording = ReviewAgent.record(directory.resolve("reviews"));
  }

  private Replay replay() throws IOException {
    return Replay.of(Session.open(recording)).mode(ReplayMode.MOCK);
  }

  private ReplayReport report(ReplayAgent agent) throws Exception {
    return replay().run(agent);
  }

  private static void fails(ThrowingCallable assertion, String firstLine) {
    assertThatThrownBy(assertion)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith(firstLine + "\nreplayed ")
        .hasMessageContaining("\nrecorded: ");
  }

  @Test
  void identical_replay_passes() throws Exception {
    assertThat(report(ReviewAgent::review))
        .isIdentical()
        .hasVerdict(ReplayVerdict.IDENTICAL)
        .hasNoDivergences()
        .hasDivergenceCount(0)
        .hasDivergenceCount("MISS", 0)
        .hasServed(3)
        .hasExecuted(0);
  }

  @Test
  void miss_fails_with_both_values() throws Exception {
    ReplayReport report = report(scope -> ReviewAgent.review(scope, "b.txt"));
    fails(() -> assertThat(report).isIdentical(), "expected the verdict IDENTICAL, found DIVERGED");
    assertThat(catchThrowable(() -> assertThat(report).isIdentical()))
        .hasMessageContaining(
            """
            at /params/path
                - recorded  "a.txt"
                + actual    "b.txt"
            recorded: %s"""
                .formatted(recording.resolve(Session.LOG_NAME)));
    fails(() -> assertThat(report).hasNoDivergences(), "expected 0 divergences, found 1");
    fails(() -> assertThat(report).hasServed(3), "expected 3 served exchanges, found 0");
    fails(
        () -> assertThat(report).hasDivergenceCount("MISS", 2),
        "expected 2 divergences of the kind MISS, found 1");
    assertThat(report).hasVerdict(ReplayVerdict.DIVERGED).hasDivergenceCount("MISS", 1);
  }

  @Test
  void further_divergences_are_counted() throws Exception {
    ReplayReport report = replay().onUnmatched(OnUnmatched.ERROR).run(scope -> {
      for (String path : new String[] {"b.txt", "c.txt"}) {
        catchThrowable(() -> ReviewAgent.review(scope, path));
      }
    });
    assertThat(catchThrowable(() -> assertThat(report).isIdentical()))
        .hasMessageContaining("\n  and 1 more MISS, ");
  }

  @Test
  void executed_exchanges_are_counted() throws Exception {
    ReplayReport report = replay()
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> "fn login() {}"))
        .run(ReviewAgent::review);
    assertThat(report).isIdentical().hasServed(2).hasExecuted(1);
    fails(() -> assertThat(report).hasExecuted(2), "expected 2 executed exchanges, found 1");
  }

  @Test
  void replay_without_exchanges_is_not_identical() throws Exception {
    recording = directory.resolve("empty");
    try (SessionRecorder recorder = SessionRecorder.start(recording, "empty")) {
      recorder.end(Status.SUCCESS);
    }
    ReplayReport report = report(scope -> {});
    fails(
        () -> assertThat(report).isIdentical(), "expected the verdict IDENTICAL, found UNVERIFIED");
    assertThat(catchThrowable(() -> assertThat(report).isIdentical()))
        .hasMessageContaining("\n  unverified: nothing was exchanged");
    assertThat(report).hasNoDivergences();
  }

  @Test
  void replay_of_an_interrupted_recording_names_the_reason() throws Exception {
    recording = directory.resolve("open");
    try (SessionRecorder recorder = SessionRecorder.start(recording, "open")) {
      recorder.call("read_file", Map.of("path", "a.txt")).result("fn login() {}");
    }
    ReplayReport report = report(scope -> scope.call("read_file", Map.of("path", "a.txt")));
    assertThat(catchThrowable(() -> assertThat(report).isIdentical()))
        .hasMessageStartingWith("expected the verdict IDENTICAL, found INCOMPLETE\n")
        .hasMessageContaining("\n  incomplete: the recording has no end");
  }

  @Test
  void null_is_reported() {
    assertThatThrownBy(() -> assertThat((ReplayReport) null).isIdentical())
        .hasMessageContaining("not to be null");
  }

  @Test
  void description_is_in_the_message() throws Exception {
    ReplayReport report = report(scope -> ReviewAgent.review(scope, "b.txt"));
    assertThatThrownBy(() -> assertThat(report).as("the review").isIdentical())
        .hasMessageStartingWith("[the review] expected the verdict");
  }

  @Test
  void soft_assertions_report_all_failures() throws Exception {
    ReplayReport report = report(scope -> ReviewAgent.review(scope, "b.txt"));
    assertThatThrownBy(() -> ReplaySoftAssertions.assertSoftly(softly -> {
          softly.assertThat(report).hasServed(2).isIdentical();
          softly.then(report).hasDivergenceCount(1);
        }))
        .hasMessageContaining("expected 2 served exchanges")
        .hasMessageContaining("expected the verdict");
  }

  @Test
  void other_style_has_the_same_assertions() throws Exception {
    BddReplayAssertions.then(report(ReviewAgent::review)).isIdentical();
  }
}
