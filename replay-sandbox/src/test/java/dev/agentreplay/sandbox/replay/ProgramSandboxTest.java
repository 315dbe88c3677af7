package dev.agentreplay.sandbox.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.engine.replay.Isolation;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.subject.LineProcess;
import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.SandboxLimits;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The sandbox of programs that belong to no recording. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class ProgramSandboxTest {

  private static final JsonObject ROUND = JsonObject.of("type", "round");

  private static final String WRITES =
      "while read line; do if echo x >> notes.txt; then echo '{\"wrote\":true}';"
          + " else echo '{\"wrote\":false}'; fi; done 2> /dev/null";

  private final Path workspace;

  ProgramSandboxTest(@TempDir Path root) throws Exception {
    workspace = Files.createDirectory(root.resolve("project")).toRealPath();
    Files.writeString(workspace.resolve("notes.txt"), "Call Ada\n");
  }

  private static ReplaySandboxOptions isolated() {
    SandboxSelection selection = Sandboxes.select(SandboxChoice.automatic());
    if (selection.used() == null) {
      System.err.println("SKIPPED: programs in a sandbox: " + selection.attempts());
    }
    assumeTrue(selection.used() != null, "there is no sandbox");
    return ReplaySandboxOptions.of(selection);
  }

  private static JsonObject answer(ReplaySandbox sandbox, String script) throws Exception {
    ProcessCommand command = ProcessCommand.of(List.of("sh", "-c", script));
    try (LineProcess program = LineProcess.start(sandbox.isolate(command), 1_000)) {
      return program.ask(ROUND).json();
    }
  }

  @Test
  void program_works_on_a_copy_of_the_directory() throws Exception {
    try (ReplaySandbox sandbox = ReplaySandbox.open(isolated().withWorkspace(workspace))) {
      assertThat(answer(sandbox, WRITES)).isEqualTo(JsonObject.of("wrote", true));
      assertThat(sandbox.directory().resolve("notes.txt")).hasContent("Call Ada\nx\n");
      assertThat(sandbox.isolation().sandbox()).isNotEqualTo("none");
      assertThat(sandbox.isolation().pinned()).isEqualTo(JsonObject.EMPTY);
    }
    assertThat(workspace.resolve("notes.txt")).hasContent("Call Ada\n");
  }

  @Test
  void program_cannot_change_the_current_directory() throws Exception {
    try (ReplaySandbox sandbox = ReplaySandbox.open(isolated())) {
      assertThat(sandbox.directory()).isEqualTo(Path.of("").toAbsolutePath());
      assertThat(answer(sandbox, WRITES)).isEqualTo(JsonObject.of("wrote", false));
    }
    assertThat(Path.of("notes.txt")).doesNotExist();
  }

  @Test
  void program_without_a_sandbox_works_on_a_copy_and_is_reported() throws Exception {
    ReplaySandboxOptions unsafe = ReplaySandboxOptions.of(null).withWorkspace(workspace);
    Path copy;
    try (ReplaySandbox sandbox = ReplaySandbox.open(unsafe.withKept(false))) {
      copy = sandbox.directory();
      assertThat(answer(sandbox, WRITES)).isEqualTo(JsonObject.of("wrote", true));
      assertThat(sandbox.isolation()).isEqualTo(Isolation.NOT_ISOLATED);
      assertThat(sandbox.variables()).isEmpty();
    }
    assertThat(copy).doesNotExist();
    assertThat(workspace.resolve("notes.txt")).hasContent("Call Ada\n");
  }

  @Test
  void there_is_no_session_to_replay() throws Exception {
    try (ReplaySandbox sandbox =
        ReplaySandbox.open(ReplaySandboxOptions.of(null).withWorkspace(workspace))) {
      assertThatIllegalStateException()
          .isThrownBy(sandbox::replay)
          .withMessage("the sandbox was opened without a session to replay");
    }
  }

  @Test
  void workspace_that_is_too_large_is_refused() {
    ReplaySandboxOptions options = ReplaySandboxOptions.of(null)
        .withWorkspace(workspace)
        .withLimits(SandboxLimits.defaults().withTemporary(5));

    assertThatExceptionOfType(ReplayRefusedException.class)
        .isThrownBy(() -> ReplaySandbox.open(options))
        .extracting(ReplayRefusedException::reason)
        .isEqualTo(ReplayRefusedException.Reason.WORKSPACE_LIMIT);
  }
}
