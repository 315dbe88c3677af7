package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.engine.subject.ProcessTools;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.io.TempDir;

/** Tests that replay in full in a sandbox. The classes at the end are run by those above. */
@Timeout(120)
class SandboxParameterTest {

  private static final String ADD = "cat > /dev/null; echo 'Buy milk' >> notes.txt; echo done";

  /** The workspace of the replay that a test has used last. */
  private static final AtomicReference<Path> USED = new AtomicReference<>();

  private final TestRun run;
  private final Path notes;

  SandboxParameterTest(@TempDir Path root) throws Exception {
    run = new TestRun(root);
    notes = Files.createDirectory(root.resolve("project")).resolve("notes.txt");
  }

  @BeforeEach
  void requireSandbox() {
    SandboxSelection selection = Sandboxes.select(SandboxChoice.automatic());
    if (selection.used() == null) {
      System.err.println("SKIPPED: tests that replay in a sandbox: " + selection.attempts());
    }
    assumeTrue(selection.used() != null, "there is no sandbox");
  }

  private void record(Circumstances circumstances) throws Exception {
    Files.writeString(notes, "Call Ada\n");
    RecorderOptions options = RecorderOptions.defaults().withCircumstances(circumstances);
    try (SessionRecorder recorder = SessionRecorder.start(
        run.recordings().resolve("adds-a-note"), SessionStart.of("notes"), options)) {
      note(AgentScope.recording(recorder, Executors.none().withTool("add_note", addTo(notes))));
      recorder.end(Status.SUCCESS);
    }
    Files.writeString(notes, "Something else\n");
  }

  private void record() throws Exception {
    record(Circumstances.defaults().withWorkspace(SnapshotCapture.of(notes.getParent())));
  }

  private static ToolExecutor addTo(Path file) {
    return ToolExecutor.of(params -> {
      Files.writeString(file, Files.readString(file) + "Buy milk\n");
      return "done";
    });
  }

  /** The agent. */
  private static void note(AgentScope scope) throws Exception {
    scope.call("add_note", Map.of("text", "Buy milk"));
  }

  private static void addProgram(Replay replay, ReplaySandbox sandbox, String script) {
    JsonObject tool =
        JsonObject.of("command", List.of("sh", "-c", script), "effect", "writes_workspace");
    JsonObject tools = JsonObject.of("tools", JsonObject.of("add_note", tool));
    ProcessTools.parse(tools, sandbox::isolate, null).addTo(replay);
    replay.timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMinutes(1)));
    USED.set(sandbox.directory());
  }

  private Throwable failure(Class<?> test) {
    List<Throwable> failures = TestRun.failures(run.of(test));
    assertThat(failures).hasSize(1);
    return failures.get(0);
  }

  @Test
  void programs_run_on_the_recorded_workspace_which_is_deleted() throws Exception {
    record();

    assertThat(TestRun.failures(run.of(AddsANote.class))).isEmpty();

    assertThat(USED.get()).doesNotExist();
    assertThat(notes).hasContent("Something else\n");
  }

  @Test
  void file_that_differs_fails_the_test_and_the_workspace_is_deleted() throws Exception {
    record();

    assertThat(failure(AddsSilk.class))
        .hasMessageContaining("FILE_STATE  notes.txt")
        .hasMessageContaining("to record it again, run its agent with a SnapshotCapture of the");

    assertThat(USED.get()).doesNotExist();
  }

  @Test
  void tool_inside_the_jvm_gets_the_directory_from_the_parameter_of_the_test() throws Exception {
    record();

    assertThat(TestRun.failures(run.of(InTheJvm.class))).isEmpty();
    assertThat(notes).hasContent("Something else\n");
  }

  @Test
  void recording_without_a_snapshot_is_refused_and_not_made_by_the_test() throws Exception {
    record(Circumstances.defaults());

    List<Throwable> failures = TestRun.failures(run.builder(AddsANote.class)
        .configurationParameter(ReplaySettings.UPDATE, "all")
        .execute());

    assertThat(failures).singleElement().satisfies(failure -> assertThat(failure)
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessageContaining("the recording has no snapshot of the workspace")
        .hasMessageContaining("a test with a ReplaySandbox records nothing"));
  }

  @Test
  void sandbox_outside_of_a_replay_is_an_error() throws Exception {
    record();

    assertThat(failure(OnlyBeforeEach.class))
        .hasMessageContaining("expected a ReplaySandbox also as a parameter of the test method");
  }

  static class AddsANote {
    @BeforeReplay
    static void tools(Replay replay, ReplaySandbox sandbox) {
      addProgram(replay, sandbox, ADD);
    }

    @Test
    @ReplaySession(value = "adds-a-note", mode = ReplayMode.FULL)
    void test(AgentScope scope) throws Exception {
      note(scope);
    }
  }

  static class AddsSilk {
    @BeforeReplay
    static void tools(Replay replay, ReplaySandbox sandbox) {
      addProgram(replay, sandbox, ADD.replace("milk", "silk"));
    }

    @Test
    @ReplaySession(value = "adds-a-note", mode = ReplayMode.FULL)
    void test(AgentScope scope) throws Exception {
      note(scope);
    }
  }

  static class InTheJvm {
    @BeforeReplay
    static void tools(Replay replay, ReplaySandbox sandbox) {
      replay.tool(
          "add_note", Effect.WRITES_WORKSPACE, addTo(sandbox.directory().resolve("notes.txt")));
    }

    @Test
    @ReplaySession(value = "adds-a-note", mode = ReplayMode.FULL)
    void test(ReplaySandbox sandbox, AgentScope scope) throws Exception {
      note(scope);
      assertThat(sandbox.directory().resolve("notes.txt")).hasContent("Call Ada\nBuy milk\n");
    }
  }

  static class OnlyBeforeEach {
    @BeforeEach
    @ReplaySession(value = "adds-a-note", mode = ReplayMode.MOCK)
    void before(ReplaySandbox sandbox) {
      throw new AssertionError("not called: " + sandbox);
    }

    @Test
    @ReplaySession(value = "adds-a-note", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      note(scope);
    }
  }
}
