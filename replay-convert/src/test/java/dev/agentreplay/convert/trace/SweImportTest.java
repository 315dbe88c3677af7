package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trajectories of SWE-agent and mini-SWE-agent are imported whole. */
class SweImportTest {

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> trajectories() {
    return ForeignFiles.expected("swe-agent");
  }

  @ParameterizedTest
  @MethodSource("trajectories")
  void numbersAreThoseOfTheTrajectory(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    TraceChecks.requireAccounted(report);
    assertThat(report.faultCount()).isZero();
  }

  @Test
  void formatIsDetectedByStructure() throws IOException {
    for (ForeignFiles.Expected trajectory : trajectories()) {
      assertThat(TraceImporter.detect(trajectory.path())).isEqualTo(TraceFormat.SWE_AGENT);
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(strings = {"all_members.traj", "mini_1_1.traj.json", "local.traj.json"})
  void damagedTrajectoriesHaveClearOutcomes(String name) throws IOException {
    new Mutations(TraceFormat.SWE_AGENT, directory)
        .requireClearOutcomesOfDocument(ForeignFiles.path("swe-agent/" + name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"trajectory\":[],\"history\":[]}", "{\"info\":{}}", "[]", "3"})
  void documentWithoutTurnsIsRefused(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("empty.traj"), text);
    TraceImporter importer =
        TraceImporter.of(ImportOptions.defaults().withFrom(TraceFormat.SWE_AGENT));
    assertThatThrownBy(() -> importer.importFile(file, directory.resolve("out")))
        .isInstanceOf(NothingRecognizedException.class)
        .hasMessageContainingAll("empty.traj", "a SWE-agent trajectory");
  }

  @Test
  void stepsBelongToTheAnswersWithTheirResponse() throws IOException {
    List<ReplayEvent> events = events("all_members.traj");
    assertThat(of(events, ToolCall.class))
        .extracting(call -> call.tool() + " " + call.meta().agent())
        .containsExactly(
            "bash null",
            "str_replace_editor null",
            "bash null",
            "bash null",
            "bash reviewer",
            "submit null");
    List<ToolResult> results = of(events, ToolResult.class);
    assertThat(results)
        .extracting(ToolResult::id)
        .containsExactly("action-1", "c1", "c2", "action-2", "c4");
    assertThat(results.get(1).output().value()).hasToString("\"print(1)\"");
    assertThat(results.get(1).latencyMillis()).isEqualTo(250);
  }

  @Test
  void promptsAreTheQueriesOfTheSteps() throws IOException {
    List<ModelCall> calls = of(events("all_members.traj"), ModelCall.class);
    assertThat(calls).extracting(ModelCall::model).containsOnly("test/model");
    String first = String.valueOf(calls.get(0).prompt().value());
    assertThat(first).contains("A demonstration", "Fix the bug").doesNotContain("message_type");
    assertThat(String.valueOf(calls.get(2).prompt().value())).contains("had no action");
    assertThat(String.valueOf(calls.get(4).prompt().value())).doesNotContain("A demonstration");
  }

  @Test
  void promptsOfAHistoryAreTheMessagesBefore() throws IOException {
    List<ModelCall> calls = of(events("networking_1.traj"), ModelCall.class);
    assertThat(calls)
        .extracting(call ->
            new ModelCall.Prompt(call.prompt().value().asObject()).messages().size())
        .containsExactly(2, 4, 6, 8);
  }

  @Test
  void circumstancesAreThoseOfTheConfiguration() throws IOException {
    List<ReplayEvent> events = events("all_members.traj");
    SessionStart start = of(events, SessionStart.class).get(0);
    assertThat(start.task().text()).isEqualTo("Fix the bug in a.py.");
    assertThat(start.repository())
        .hasToString("{\"commit\":\"c0ffee\",\"remote\":\"https://example.org/r.git\"}");
    Settings settings = of(events, Settings.class).get(0);
    assertThat(settings.get(Settings.WORKING_DIRECTORY).value()).hasToString("\"/repo\"");
    assertThat(settings.get(Settings.VERSIONS).value().asObject().names())
        .containsExactly("swe-agent", "swe-rex");
    SessionEnd end = of(events, SessionEnd.class).get(0);
    assertThat(end.status()).isEqualTo(Status.FAILED);
    assertThat(end.errorMessage()).isEqualTo("exit status: submitted (exit_cost)");
  }

  @Test
  void totalsAreNotSpreadOverTheCalls() throws IOException {
    assertThat(of(events("all_members.traj"), ModelResult.class))
        .allSatisfy(result -> assertThat(result.tokens().input()).isNull());
    String start = events("all_members.traj").toString();
    assertThat(start).contains("\"tokens_sent\":5000");
  }

  @Test
  void actionsOfMiniAreCallsByNameListAndText() throws IOException {
    List<ReplayEvent> events = events("mini_1_1.traj.json");
    assertThat(of(events, ToolCall.class))
        .extracting(call -> call.id() + " " + call.params().value())
        .containsExactly(
            "call_a {\"command\":\"ls\"}",
            "call_b {\"command\":\"cat x\"}",
            "action-1 {\"command\":\"pwd\"}",
            "fc1 {\"command\":\"echo COMPLETE\"}",
            "action-2 {\"command\":\"echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\"}");
    List<ToolResult> results = of(events, ToolResult.class);
    assertThat(results)
        .extracting(result -> result.outcome().exitCode())
        .containsExactly(0, -1, 1, 0);
    assertThat(results.get(1).outcome().error().message()).isEqualTo("timed out");
    assertThat(results.get(0).output().value()).hasToString("\"a\\n\"");
    assertThat(results.get(0).latencyMillis()).isEqualTo(247);
    ModelResult first = of(events, ModelResult.class).get(0);
    assertThat(first.tokens()).isEqualTo(TokenCounts.of(100, 10));
    assertThat(first.meta().extra().get(Names.TOKEN_DETAILS))
        .hasToString("{\"completion_tokens\":10,\"prompt_tokens\":100,\"total_tokens\":110}");
    assertThat(of(events, SessionEnd.class).get(0).status()).isEqualTo(Status.SUCCESS);
    assertThat(of(events, SessionStart.class).get(0).meta().sessionId()).isEqualTo("made__made-1");
  }

  @ParameterizedTest
  @CsvSource({
    "submitted, SUCCESS",
    "Submitted, SUCCESS",
    "submitted (exit_cost), FAILURE",
    "exit_context, FAILURE",
    "LimitsExceeded, FAILURE",
    "exit_command_timeout, TIMEOUT",
    "exit_total_execution_time, TIMEOUT",
    "UserInterruption, CANCELLED",
    "early_exit, CANCELLED"
  })
  void exitStatusIsTheEnd(String exitStatus, Status.Kind kind) throws IOException {
    String text = Files.readString(ForeignFiles.path("swe-agent/mini_1_1.traj.json"))
        .replace("\"exit_status\": \"Submitted\"", "\"exit_status\": \"" + exitStatus + "\"");
    Path file = Files.writeString(directory.resolve("end.traj.json"), text);
    List<SessionEnd> ends = of(events(file), SessionEnd.class);
    assertThat(ends).extracting(end -> end.status().kind()).containsExactly(kind);
  }

  @Test
  void missingExitStatusIsNoEnd() throws IOException {
    assertThat(of(events("function_calling_simple.traj"), SessionEnd.class)).isEmpty();
  }

  private List<ReplayEvent> events(String name) throws IOException {
    return events(ForeignFiles.path("swe-agent/" + name));
  }

  private List<ReplayEvent> events(Path source) throws IOException {
    Path out = directory.resolve("out");
    TraceImporter.of(ImportOptions.defaults().withOverwrite(true)).importFile(source, out);
    return ImportedEvents.read(out);
  }

  private static <E extends ReplayEvent> List<E> of(List<ReplayEvent> events, Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
