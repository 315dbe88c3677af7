package dev.agentreplay.sandbox.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.subject.ProcessTools;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replays of programs in the sandbox of this machine, by the API. */
@Timeout(120)
class SandboxedReplayTest {

  private static final JsonObject TOOLS = JsonObject.of(
      "tools",
      JsonObject.of(
          "add_note",
          JsonObject.of(
              "command",
              List.of("sh", "-c", "cat > /dev/null; echo 'Buy milk' >> notes.txt; echo done"),
              "effect",
              "writes_workspace")));

  private final Path workspace;
  private final Path directory;

  SandboxedReplayTest(@TempDir Path root) throws Exception {
    workspace = Files.createDirectory(root.resolve("project")).toRealPath();
    directory = root.resolve("session");
  }

  @BeforeEach
  void requireSandbox() {
    SandboxSelection selection = Sandboxes.select(SandboxChoice.automatic());
    if (selection.used() == null) {
      System.err.println("SKIPPED: replays in a sandbox: " + selection.attempts());
    }
    assumeTrue(selection.used() != null, "there is no sandbox");
  }

  /** Records an agent that adds a line to a file, with or without a snapshot of its workspace. */
  private Session record(boolean hasSnapshot) throws Exception {
    Circumstances circumstances = Circumstances.defaults();
    return record(
        hasSnapshot ? circumstances.withWorkspace(SnapshotCapture.of(workspace)) : circumstances);
  }

  private Session record(Circumstances circumstances) throws Exception {
    Path notes = Files.writeString(workspace.resolve("notes.txt"), "Call Ada\n");
    RecorderOptions options = RecorderOptions.defaults().withCircumstances(circumstances);
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("notes"), options)) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("add_note", Map.of("text", "Buy milk"), () -> {
        Files.writeString(notes, "Call Ada\nBuy milk\n");
        return "done";
      });
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    Files.writeString(notes, "Something else\n");
    return Session.open(directory);
  }

  private static ReplayReport run(ReplaySandbox sandbox) throws Exception {
    Replay replay = sandbox.replay();
    ProcessTools.parse(TOOLS, sandbox::isolate, null).addTo(replay);
    return replay.run();
  }

  @Test
  void replay_of_the_sandbox_has_its_session_mode_workspace_and_isolation() throws Exception {
    try (ReplaySandbox sandbox = ReplaySandbox.open(record(true), ReplayMode.FULL)) {
      ReplayReport report = run(sandbox);

      assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(report.mode()).isEqualTo(ReplayMode.FULL);
      assertThat(report.exchanges().executed()).isEqualTo(1);
      assertThat(report.isolation().pinned().get("workspace_path").asString())
          .isEqualTo(workspace.toString());
      assertThat(sandbox.directory().resolve("notes.txt")).hasContent("Call Ada\nBuy milk\n");
    }
    assertThat(workspace.resolve("notes.txt")).hasContent("Something else\n");
  }

  @ParameterizedTest
  @CsvSource({
    "/dev/shm, a directory of the system",
    "/usr/share/no-such-app, which is missing on this machine: a sandbox shows /usr",
    "/etc/ssl/certs/no-such-app, which is missing on this machine: a sandbox shows /etc/ssl/certs"
  })
  void workspace_at_a_path_of_the_system_is_refused_before_a_program_starts(
      String path, String message) throws Exception {
    assumeTrue(!path.startsWith("/etc") || Files.isDirectory(Path.of("/etc/ssl/certs")));
    Session session =
        record(Circumstances.defaults().with(Settings.WORKING_DIRECTORY, path, Settings.RUNTIME));
    ReplaySandboxOptions options = ReplaySandboxOptions.of(
            Sandboxes.select(SandboxChoice.automatic()))
        .withWorkspace(workspace);

    assertThatExceptionOfType(ReplayRefusedException.class)
        .isThrownBy(() -> ReplaySandbox.open(session, ReplayMode.FULL, options))
        .withMessageContaining(path)
        .withMessageContaining(message)
        .extracting(ReplayRefusedException::reason)
        .isEqualTo(ReplayRefusedException.Reason.NO_SANDBOX);
  }

  @Test
  void path_that_was_not_recorded_is_not_reported_as_recorded() throws Exception {
    ReplaySandboxOptions options = ReplaySandboxOptions.of(
            Sandboxes.select(SandboxChoice.automatic()))
        .withWorkspace(workspace);
    try (ReplaySandbox sandbox = ReplaySandbox.open(record(false), ReplayMode.FULL, options)) {
      assertThat(run(sandbox).isolation().pinned().names()).containsExactly("time_zone");
    }
  }

  @Test
  void recorded_identity_is_reported_with_its_path() throws Exception {
    try (ReplaySandbox sandbox = ReplaySandbox.open(record(true), ReplayMode.FULL)) {
      assertThat(sandbox.isolation().pinned().names())
          .contains("user", "uid", "home", "host", "umask", "variables", "workspace_path")
          .doesNotContain("environment");
    }
  }
}
