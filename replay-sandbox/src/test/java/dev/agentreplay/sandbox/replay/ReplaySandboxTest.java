package dev.agentreplay.sandbox.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplaySandboxTest {

  @TempDir
  private Path directory;

  @Test
  void recorded_variables_are_not_set_without_a_sandbox() throws Exception {
    Path recorded = directory.resolve("session");
    RecorderOptions options = RecorderOptions.defaults()
        .withCircumstances(Circumstances.none()
            .with(Settings.TIME_ZONE, "Asia/Tokyo", Settings.RUNTIME)
            .with(Settings.ENVIRONMENT, JsonObject.of("LD_PRELOAD", "/tmp/x.so"), Settings.ENV));
    try (SessionRecorder recorder =
        SessionRecorder.start(recorded, SessionStart.of("s"), options)) {
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }
    Path workspace = Files.createDirectory(directory.resolve("workspace"));
    ReplaySandboxOptions unsafe = ReplaySandboxOptions.of(null).withWorkspace(workspace);

    try (ReplaySandbox sandbox =
        ReplaySandbox.open(Session.open(recorded), ReplayMode.FULL, unsafe)) {
      assertThat(sandbox.variables()).containsOnlyKeys("TZ").containsEntry("TZ", "Asia/Tokyo");
    }
  }
}
