package dev.agentreplay.cli;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Sessions with a snapshot of their workspace, for tests that replay them in a sandbox. */
final class SandboxedSessions {

  private SandboxedSessions() {}

  /** The sandbox of this machine. Without one, the test is skipped, which is printed. */
  static SandboxSelection requireSandbox() {
    return requireSandbox(SandboxChoice.automatic());
  }

  /** A mechanism of this machine. Without it, the test is skipped, which is printed. */
  static SandboxSelection requireSandbox(SandboxChoice choice) {
    SandboxSelection selection = Sandboxes.select(choice);
    if (selection.used() == null) {
      System.err.println("!!!! SKIPPED: replays in a sandbox: " + selection.attempts());
    }
    Assumptions.assumeTrue(selection.used() != null, "there is no sandbox");
    return selection;
  }

  /**
   * Records a session whose tool {@code write_note} changes the file {@code notes.txt} of the
   * directory {@code project}, and whose tool {@code where} prints its path. The file has changed
   * since.
   */
  static Path record(Path home) throws Exception {
    Path workspace = Files.createDirectory(home.resolve("project"));
    Path notes = Files.writeString(workspace.resolve("notes.txt"), "notes\n");
    Path session = home.resolve("session");
    RecorderOptions options = RecorderOptions.defaults()
        .withCircumstances(Circumstances.defaults().withWorkspace(SnapshotCapture.of(workspace)));
    try (SessionRecorder recorder =
        SessionRecorder.start(session, SessionStart.of("notes"), options)) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("write_note", Map.of("text", "sum: 42"), () -> {
        Files.writeString(notes, "notes\nsum: 42\n");
        return "ok";
      });
      scope.run("where", Map.of(), () -> workspace.toRealPath().toString());
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    Files.writeString(notes, "changed since the recording\n");
    return session;
  }

  /** Records the same session in a process of its own, whose environment is that of the caller. */
  public static void main(String... home) throws Exception {
    record(Path.of(home[0]));
  }

  /** The paths and hashes of all files in a directory. */
  static String contents(Path directory) throws IOException {
    StringBuilder contents = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
        contents
            .append(directory.relativize(file))
            .append(' ')
            .append(ContentHash.of(ContentHash.newDigest().digest(Files.readAllBytes(file))))
            .append('\n');
      }
    }
    return contents.toString();
  }
}
