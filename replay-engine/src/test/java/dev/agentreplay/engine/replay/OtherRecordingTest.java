package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recording with which a validation compares is verified, too. */
class OtherRecordingTest {

  @TempDir
  Path directory;

  private Session session;
  private Session other;

  @BeforeEach
  void record() throws Exception {
    session = record("one");
    other = record("other");
  }

  private Session record(String name) throws Exception {
    Path path = directory.resolve(name);
    try (SessionRecorder recorder = SessionRecorder.start(path, "s")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "text");
      recorder.end(Status.SUCCESS);
    }
    return Session.open(path);
  }

  /** Gives the other recording the receipt of a different one. */
  private void replaceReceipt() throws Exception {
    Files.copy(record("third").receipt(), other.receipt(), StandardCopyOption.REPLACE_EXISTING);
  }

  private Replay validation() {
    return Replay.of(session).against(other);
  }

  @Test
  void valid_one_is_compared() throws Exception {
    assertThat(validation().run().verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void one_that_is_not_valid_is_refused() throws Exception {
    replaceReceipt();

    assertThatThrownBy(() -> validation().run())
        .isInstanceOfSatisfying(
            ReplayRefusedException.class, refused -> assertThat(refused.reason())
                .isEqualTo(ReplayRefusedException.Reason.INVALID))
        .hasMessageContaining("other")
        .hasMessageContaining("the recording to compare with is invalid: ");
  }

  @Test
  void forced_comparison_with_it_is_unverified() throws Exception {
    replaceReceipt();

    ReplayReport report = validation().force(true).run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(report.circumstances()).extracting(Circumstance::name).contains("against");
  }
}
