package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Full replays under Landlock. */
class LandlockRunTest {

  private static final String WRITE = "cat >/dev/null; printf 'sum: 42\\n' >> notes.txt; printf ok";

  @TempDir
  Path home;

  private Path workspace;
  private Path session;

  @BeforeEach
  void record() throws Exception {
    SandboxedSessions.requireSandbox(SandboxChoice.parse("landlock"));
    session = SandboxedSessions.record(home);
    workspace = home.resolve("project");
  }

  private Console full(String write, List<String> where, String... more) throws IOException {
    JsonObject tools = JsonObject.of(
        "tools", JsonObject.of("write_note", tool("sh", "-c", write), "where", tool(where)));
    Path file = Files.writeString(home.resolve("tools.json"), tools.toString());
    List<String> words = new ArrayList<>(List.of(
        "run",
        session.toString(),
        "--mode",
        "full",
        "--quiet",
        "--sandbox",
        "landlock",
        "--tools",
        file.toString()));
    words.addAll(List.of(more));
    return Console.run(words.toArray(String[]::new));
  }

  private static JsonObject tool(String... command) {
    return tool(List.of(command));
  }

  private static JsonObject tool(List<String> command) {
    return JsonObject.of("command", command, "effect", "writes_workspace");
  }

  @Test
  void replay_works_on_a_copy_at_a_different_path_and_says_so() throws Exception {
    Console run = full(WRITE, List.of("printf", "%s", workspace.toRealPath().toString()));

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.out())
        .contains("identical", "landlock")
        .doesNotContain("workspace_path")
        .containsPattern("programs see the\\s+workspace at")
        .containsPattern("a signal\\s+could\\s+be\\s+sent");
    assertThat(workspace.resolve("notes.txt")).hasContent("changed since the recording\n");
  }

  @Test
  void output_with_the_path_differs_and_the_files_do_not() throws Exception {
    Console run = full(WRITE, List.of("pwd"));

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(1);
    assertThat(run.out()).contains("OUTPUT").doesNotContain("FILE_STATE");
  }

  @Test
  void files_that_differ_are_a_divergence() throws Exception {
    Console run = full(
        WRITE.replace("42", "43"),
        List.of("printf", "%s", workspace.toRealPath().toString()));

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(1);
    assertThat(run.out()).contains("1. FILE_STATE  notes.txt", "- sum: 42", "+ sum: 43");
  }

  @Test
  void tool_that_writes_too_much_leaves_the_replay_incomplete() throws Exception {
    Console run = full(
        "head -c 2000000000 /dev/zero > big",
        List.of("printf", "%s", workspace.toRealPath().toString()),
        "--max-temp",
        "50000000");

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(4);
    assertThat(run.out()).contains("incomplete", "limit").doesNotContain("FILE_STATE");
  }

  @Test
  void doctor_starts_tools() throws Exception {
    Path file = Files.writeString(
        home.resolve("tools.json"),
        JsonObject.of("tools", JsonObject.of("where", tool("pwd"))).toString());

    Console doctor = Console.run("doctor", "--sandbox", "landlock", "--tools", file.toString());

    assertThat(doctor.exit()).as(doctor.err() + doctor.out()).isZero();
    assertThat(doctor.out())
        .contains("landlock: isolates files", "tool where: started")
        .containsPattern("TCP connections +enforced +seccomp filter");
  }
}
