package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An agent with three generations of changes replays the recordings of each: it branches on
 * versions that the recording decides, and reports one that it no longer supports.
 */
class VersionedAgentTest {

  private static final String ORDER = "test-before-commit";
  private static final String NOTIFY = "notify";

  @TempDir
  private Path directory;

  /** Without a version: edits, and commits. */
  private static void first(AgentScope scope) throws Exception {
    scope.call("edit", Map.of("path", "a"));
    scope.call("commit", Map.of());
    end(scope);
  }

  /** Also tests before it commits. */
  private static void second(AgentScope scope) throws Exception {
    scope.call("edit", Map.of("path", "a"));
    if (scope.context().version(ORDER, 0, 1) >= 1) {
      scope.call("test", Map.of());
    }
    scope.call("commit", Map.of());
    end(scope);
  }

  /** Tests twice, and notifies its user at the end; has the code of all generations. */
  private static void third(AgentScope scope) throws Exception {
    scope.call("edit", Map.of("path", "a"));
    int tests = scope.context().version(ORDER, 0, 2);
    for (int i = 0; i < tests; i++) {
      scope.call("test", Map.of());
    }
    scope.call("commit", Map.of());
    if (scope.context().version(NOTIFY, 0, 1) >= 1) {
      scope.call("notify", Map.of());
    }
    end(scope);
  }

  /** Has dropped the code that tests fewer than two times. */
  private static void withoutOlder(AgentScope scope) throws Exception {
    scope.call("edit", Map.of("path", "a"));
    int tests = scope.context().version(ORDER, 2, 2);
    for (int i = 0; i < tests; i++) {
      scope.call("test", Map.of());
    }
    scope.call("commit", Map.of());
    end(scope);
  }

  private static void end(AgentScope scope) throws Exception {
    scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(0.9));
  }

  private static ReplayAgent generation(int number) {
    return switch (number) {
      case 1 -> VersionedAgentTest::first;
      case 2 -> VersionedAgentTest::second;
      default -> VersionedAgentTest::third;
    };
  }

  private Session record(int generation) throws Exception {
    Executors executors = Executors.none();
    for (String tool : new String[] {"edit", "test", "commit", "notify"}) {
      executors = executors.withTool(tool, ToolExecutor.of(params -> "done"));
    }
    Path place = directory.resolve("generation-" + generation);
    RecorderOptions options = SampleAgent.withContext();
    try (SessionRecorder recorder =
        SessionRecorder.start(place, SessionStart.of("generation-" + generation), options)) {
      generation(generation).run(AgentScope.recording(recorder, executors));
    }
    return Session.open(place);
  }

  private static ReplayReport replay(Session recording, ReplayAgent agent, OnUnmatched onUnmatched)
      throws Exception {
    return Replay.of(recording).mode(ReplayMode.MOCK).onUnmatched(onUnmatched).run(agent);
  }

  @ParameterizedTest(name = "generation {1} replays a recording of generation {0}")
  @CsvSource({"1, 1", "1, 2", "1, 3", "2, 2", "2, 3", "3, 3"})
  void recording_of_each_generation_is_identical(int recorded, int agent) throws Exception {
    ReplayReport report = replay(record(recorded), generation(agent), OnUnmatched.STOP);

    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges().unread()).isZero();
  }

  @Test
  void earlier_generation_does_not_fit_a_later_recording() throws Exception {
    assertThat(replay(record(3), generation(1), OnUnmatched.ERROR).verdict())
        .isEqualTo(ReplayVerdict.DIVERGED);
  }

  @Test
  void version_that_is_no_longer_supported_is_a_miss_with_both() throws Exception {
    for (OnUnmatched action : OnUnmatched.values()) {
      ReplayReport report = replay(record2(), VersionedAgentTest::withoutOlder, action);

      assertThat(report.verdict()).as("%s", action).isEqualTo(ReplayVerdict.DIVERGED);
      ReplayDivergence drift = report.divergences().stream()
          .filter(each -> each.kind().equals("DRIFT"))
          .findFirst()
          .orElseThrow();
      assertThat(drift.miss().kind()).isEqualTo(MissKind.DIVERGED);
      assertThat(drift.message())
          .contains("version:" + ORDER, "expected")
          .containsPattern("2")
          .contains("- recorded  1");
    }
  }

  private Session record2() throws Exception {
    Path place = directory.resolve("generation-2");
    return java.nio.file.Files.exists(place) ? Session.open(place) : record(2);
  }
}
