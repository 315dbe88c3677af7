package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Executors;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replays whose tools run in a sandbox, on the recorded workspace. */
@Timeout(120)
class SandboxedRunTest {

  private static final String WRITE = "cat >/dev/null; printf 'sum: 42\\n' >> notes.txt; printf ok";

  @TempDir
  Path home;

  private Path workspace;
  private Path session;

  @BeforeAll
  static void requireSandbox() {
    var selection = Sandboxes.select(SandboxChoice.automatic());
    if (selection.used() == null) {
      System.err.println("!!!! SKIPPED: replays in a sandbox: " + selection.attempts());
    }
    Assumptions.assumeTrue(selection.used() != null, "there is no sandbox");
  }

  /** Records a session whose tool changes a file. */
  @BeforeEach
  void record() throws Exception {
    workspace = Files.createDirectory(home.resolve("project"));
    Files.writeString(workspace.resolve("notes.txt"), "notes\n");
    session = home.resolve("session");
    RecorderOptions options = RecorderOptions.defaults()
        .withCircumstances(Circumstances.defaults().withWorkspace(SnapshotCapture.of(workspace)));
    try (SessionRecorder recorder =
        SessionRecorder.start(session, SessionStart.of("notes"), options)) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("write_note", Map.of("text", "sum: 42"), () -> {
        Files.writeString(workspace.resolve("notes.txt"), "notes\nsum: 42\n");
        return "ok";
      });
      scope.run("where", Map.of(), () -> workspace.toRealPath().toString());
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    Files.writeString(workspace.resolve("notes.txt"), "changed since the recording\n");
  }

  private Console full(String write, String... more) throws IOException {
    return run(tool("sh", "-c", write), tool("pwd"), more);
  }

  private Console run(JsonObject write, JsonObject where, String... more) throws IOException {
    JsonObject tools = JsonObject.of("tools", JsonObject.of("write_note", write, "where", where));
    Path file = Files.writeString(home.resolve("tools.json"), tools.toString());
    List<String> words = new ArrayList<>(List.of(
        "run", session.toString(), "--mode", "full", "--quiet", "--tools", file.toString()));
    words.addAll(List.of(more));
    return Console.run(words.toArray(String[]::new));
  }

  private static JsonObject tool(String... command) {
    return JsonObject.of("command", List.of(command), "effect", "writes_workspace");
  }

  @Test
  void replay_on_the_recorded_workspace_is_identical() throws Exception {
    Console run = full(WRITE);

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.out()).contains("identical", "bubblewrap");
    assertThat(workspace.resolve("notes.txt")).hasContent("changed since the recording\n");
  }

  @Test
  void file_with_another_byte_is_the_only_divergence() throws Exception {
    Console run = full(WRITE.replace("42", "43"));

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(1);
    assertThat(run.out()).contains("1. FILE_STATE  notes.txt", "- sum: 42", "+ sum: 43");
    assertThat(run.out()).doesNotContain("2. ");
  }

  @Test
  void workspace_that_is_given_is_copied() throws Exception {
    Console run = full("rm -rf * .[a-z]*; ls -A; printf ok", "--workspace", workspace.toString());

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(workspace.resolve("notes.txt")).hasContent("changed since the recording\n");
  }

  @Test
  void kept_workspace_is_named() throws Exception {
    Console run = full(WRITE, "--keep");

    String kept = run.err()
        .lines()
        .filter(line -> line.contains("is kept: "))
        .findFirst()
        .orElseThrow()
        .replaceFirst(".*is kept: ", "");
    assertThat(Path.of(kept, "notes.txt")).hasContent("notes\nsum: 42\n");
  }

  @Test
  void tool_that_writes_too_much_leaves_the_replay_incomplete() throws Exception {
    Console run = full("head -c 2000000000 /dev/zero > big", "--max-temp", "50000000");

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(4);
    assertThat(run.out()).contains("incomplete", "limit").doesNotContain("FILE_STATE");
  }

  @Test
  void program_that_cannot_be_started_leaves_the_replay_incomplete() throws Exception {
    Console run = run(tool("sh", "-c", WRITE), tool("nowhere"));

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(4);
    assertThat(run.out()).contains("incomplete", "nowhere").doesNotContain("OUTPUT");
  }
}
