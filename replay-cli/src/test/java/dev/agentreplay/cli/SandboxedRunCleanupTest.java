package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.subject.ProcessTools;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import dev.agentreplay.sandbox.replay.ReplaySandboxOptions;
import dev.agentreplay.testkit.JavaTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Aborted and killed replays leave nothing behind. */
@Tag("slow")
@Timeout(900)
class SandboxedRunCleanupTest {

  private static final int ABORTED = 45;
  private static final int KILLED = 5;

  /** An argument by which the processes of this test are found. */
  private final String marker = "replay-" + UUID.randomUUID();

  @RegisterExtension
  private final JavaTempDir temporary = new JavaTempDir();

  @TempDir
  Path home;

  private Path session;
  private SandboxSelection selection;

  @BeforeEach
  void record() throws Exception {
    selection = SandboxedSessions.requireSandbox();
    session = SandboxedSessions.record(home);
  }

  /** Tools that start a daemon, change the workspace, and do not end. */
  private JsonObject tools() {
    String script = "touch started; setsid sleep 1000 & mkdir -p a/b; ln -s / a/out; "
        + "echo started >&2; sleep 1000";
    return JsonObject.of(
        "tools",
        JsonObject.of(
            "write_note",
            JsonObject.of(
                "command",
                List.of("sh", "-c", script, marker),
                "effect",
                Effect.WRITES_WORKSPACE.id())));
  }

  @Test
  void fifty_aborted_replays_leave_no_process_mount_or_file() throws Exception {
    String recorded = SandboxedSessions.contents(session);

    for (int i = 0; i < ABORTED; i++) {
      abort();
    }
    for (int i = 0; i < KILLED; i++) {
      kill();
    }

    assertThat(processes()).isEmpty();
    assertThat(Files.readAllLines(Path.of("/proc/self/mountinfo")))
        .noneMatch(mount -> mount.contains(home.toString()))
        .noneMatch(mount -> mount.contains(temporary.path().toString()))
        .noneMatch(mount -> mount.contains("replay-sandbox-"));
    assertThat(SandboxedSessions.contents(session)).isEqualTo(recorded);
    assertThat(replayFiles()).isEmpty();
  }

  private void abort() throws Exception {
    ReplayControl control = new ReplayControl();
    try (ReplaySandbox sandbox = ReplaySandbox.open(
        Session.open(session), ReplayMode.FULL, ReplaySandboxOptions.of(selection))) {
      Replay replay = sandbox
          .applyTo(Replay.of(Session.open(session)).mode(ReplayMode.FULL))
          .control(control);
      ProcessTools.parse(
              tools(),
              command -> sandbox.isolate(command).withErrors(line -> control.abort("by the test")),
              null)
          .addTo(replay);

      assertThat(replay.run().verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    }
  }

  /** Kills a replay in a JVM of its own, while its tool runs. */
  private void kill() throws Exception {
    Path file = Files.writeString(home.resolve("tools.json"), tools().toString());
    Process process =
        start("run", session.toString(), "--mode", "full", "--tools", file.toString());
    CommandProcess.awaitLine(process.errorReader(), "sh: started");
    assertThat(processes()).isNotEmpty();

    process.destroyForcibly().waitFor();

    while (!processes().isEmpty()) {
      Thread.onSpinWait(); // the kernel kills them; the time-out of the test ends this
    }
    assertThat(replayFiles()).isNotEmpty();
    next();
    assertThat(replayFiles()).isEmpty();
  }

  /** Runs the next replay, in a JVM of its own. */
  private void next() throws Exception {
    Process process = start("run", session.toString(), "--mode", "mock", "--subject", "true");
    process.getErrorStream().readAllBytes();
    process.waitFor();
  }

  private Process start(Object... arguments) throws IOException {
    return CommandProcess.in(temporary.path(), arguments)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private List<Long> processes() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(marker))
        .map(ProcessHandle::pid)
        .toList();
  }

  private List<Path> replayFiles() throws IOException {
    try (Stream<Path> files = Files.list(temporary.path())) {
      return files
          .filter(file -> file.getFileName().toString().matches("(agentreplay|replay)-.*"))
          .toList();
    }
  }
}
