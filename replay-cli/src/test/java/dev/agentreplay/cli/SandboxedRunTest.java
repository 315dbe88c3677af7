package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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

  @BeforeEach
  void record() throws Exception {
    SandboxedSessions.requireSandbox();
    session = SandboxedSessions.record(home);
    workspace = home.resolve("project");
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

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(1);
    assertThat(run.out())
        .contains("differs     workspace", "1. FILE_STATE  notes.txt")
        .doesNotContain("2. ");
    assertThat(workspace.resolve("notes.txt")).hasContent("changed since the recording\n");
  }

  @Test
  void workspace_that_is_given_is_seen_at_the_recorded_path() throws Exception {
    Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("notes.txt"), "notes\n");

    Console run = full(WRITE, "--workspace", elsewhere.toString());

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.out()).contains("identical", "as recorded: user").doesNotContain("differs");
    assertThat(elsewhere.resolve("notes.txt")).hasContent("notes\n");
  }

  @Test
  @Tag("slow")
  void locale_and_date_of_builds_are_those_of_the_recording() throws Exception {
    Path other = Files.createDirectory(home.resolve("other"));
    ProcessBuilder recorder =
        CommandProcess.java(List.of("-XX:TieredStopAtLevel=1"), SandboxedSessions.class, other);
    recorder.environment().keySet().removeIf(name -> name.startsWith("L"));
    recorder.environment().putAll(Map.of("LC_TIME", "C", "SOURCE_DATE_EPOCH", "1700000000"));
    assertThat(recorder.inheritIO().start().waitFor()).isZero();
    String shows =
        "printf '%s:%s:%s:%s.' \"$LC_TIME\" \"$SOURCE_DATE_EPOCH\" \"$LC_ALL\" \"$LANG\" >&2;"
            + " exit 1";
    JsonObject tools = JsonObject.of(
        "tools",
        JsonObject.of("write_note", tool("sh", "-c", WRITE), "where", tool("sh", "-c", shows)));
    Path file = Files.writeString(home.resolve("tools.json"), tools.toString());
    ProcessBuilder replay = CommandProcess.in(
        home, "run", other.resolve("session"), "--mode", "full", "--quiet", "--tools", file);
    replay.environment().putAll(Map.of("LC_ALL", "C", "LANG", "C"));

    Process run = replay.redirectErrorStream(true).start();

    assertThat(run.getInputStream().readAllBytes())
        .asString(StandardCharsets.UTF_8)
        .contains("C:1700000000::.");
    assertThat(run.waitFor()).isEqualTo(1);
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
    FileTree.delete(Path.of(kept, "..", "..").normalize());
  }

  @Test
  void tool_that_writes_too_much_leaves_the_replay_incomplete() throws Exception {
    Console run = full("head -c 2000000000 /dev/zero > big", "--max-temp", "50000000");

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(4);
    assertThat(run.out()).contains("incomplete", "limit").doesNotContain("FILE_STATE");
  }

  @Test
  void missing_snapshot_is_named_with_its_session_and_the_option_that_helps() throws Exception {
    FileTree.delete(session.resolve("snapshot"));

    Console run = full(WRITE);

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(3);
    assertThat(run.err())
        .startsWith("replay: " + session.resolve("REPLAY.jsonl") + ": the snapshot ")
        .endsWith("; --workspace DIR replays on a copy of DIR instead\n");
    assertThat(full(WRITE, "--workspace", workspace.toString()).exit()).isZero();
  }

  @Test
  void workspace_over_the_limit_is_refused() throws Exception {
    Console restored = full(WRITE, "--max-temp", "5");
    Console copied = full(WRITE, "--max-temp", "5", "--workspace", workspace.toString());

    assertThat(restored.err())
        .contains("the snapshot has 6 bytes, more than the limit of 5")
        .contains("; --max-temp BYTES raises it");
    assertThat(copied.err())
        .contains("the workspace has more than the limit of 5 bytes; --max-temp BYTES raises it");
    for (Console refused : List.of(restored, copied)) {
      assertThat(refused.exit()).as(refused.err() + refused.out()).isEqualTo(4);
    }
  }

  @Test
  void program_that_cannot_be_started_leaves_the_replay_incomplete() throws Exception {
    Console run = run(tool("sh", "-c", WRITE), tool("nowhere"));

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(4);
    assertThat(run.out()).contains("incomplete", "nowhere").doesNotContain("OUTPUT");
  }

  @Test
  void subject_that_does_not_exist_is_refused_before_anything_runs() throws Exception {
    for (String sandbox : List.of("--quiet", "--unsafe-no-sandbox")) {
      Console run = Console.run(
          "run", session.toString(), "--mode", "mock", "--subject", "nowhere --fast", sandbox);

      assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(3);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .startsWith("replay: --subject: cannot start \"nowhere\": ")
          .hasLineCount(1);
    }
  }

  @Test
  void recorded_workspace_that_is_missing_now_is_seen_all_the_same() throws Exception {
    FileTree.delete(workspace);

    Console run = full(WRITE, "--ro", home.toString());

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.out()).containsPattern("programs do not see the\\s+directories above");
  }

  @Test
  void replay_without_a_sandbox_says_so() throws Exception {
    Console run = full(WRITE, "--unsafe-no-sandbox");

    assertThat(run.out()).contains("programs had the permissions of the process");
  }
}
