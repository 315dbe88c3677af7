package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.published.TestCopies.WITHHOLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.published.TestCopies;
import dev.agentreplay.engine.replay.ReplayRefusedException.Reason;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A published copy cannot be replayed: it withholds values that a replay needs. */
class PublishedRecordingTest {

  @TempDir
  Path directory;

  private Session original;
  private Session copy;

  @BeforeEach
  void record() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory.resolve("original"), "s")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "text");
      recorder.end(Status.SUCCESS);
    }
    original = Session.open(directory.resolve("original"));
    copy = TestCopies.publish(
        original, directory.resolve("copy"), "private_repo", Map.of("3/params", WITHHOLD));
  }

  @Test
  void replay_is_refused_with_the_next_step_also_if_it_is_forced() {
    for (boolean force : new boolean[] {false, true}) {
      Replay replay = Replay.of(copy).mode(ReplayMode.MOCK).force(force);
      assertThatThrownBy(replay::start)
          .asInstanceOf(InstanceOfAssertFactories.type(ReplayRefusedException.class))
          .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.PUBLISHED))
          .satisfies(refused -> assertThat(refused).hasMessageContaining("replay the original"))
          .satisfies(refused -> assertThat(JUnitReport.refused("copy", refused))
              .contains("type=\"PUBLISHED\"", "private_repo"));
    }
  }

  @Test
  void validation_of_and_against_a_copy_is_refused() {
    for (Replay replay :
        new Replay[] {Replay.of(copy).against(original), Replay.of(original).against(copy)}) {
      assertThatThrownBy(replay::run)
          .asInstanceOf(InstanceOfAssertFactories.type(ReplayRefusedException.class))
          .extracting(ReplayRefusedException::reason)
          .isEqualTo(Reason.PUBLISHED);
    }
  }
}
