package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trajectories in ATIF are imported whole, with their sub-agents and continuations. */
class AtifImportTest {

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> trajectories() {
    return ForeignFiles.expected("atif");
  }

  @ParameterizedTest
  @MethodSource("trajectories")
  void numbersAreThoseOfTheTrajectory(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    TraceChecks.requireAccounted(report);
    assertThat(TraceImporter.detect(expected.path())).isEqualTo(TraceFormat.ATIF);
  }

  @Test
  @Tag("slow")
  void damagedTrajectoriesHaveClearOutcomes() throws IOException {
    new Mutations(TraceFormat.ATIF, directory)
        .requireClearOutcomesOfDocument(ForeignFiles.path("atif/v1.8_members.json"));
  }

  @Test
  void linesOfTrajectoriesHaveClearOutcomes() throws IOException {
    new Mutations(TraceFormat.ATIF, directory)
        .requireClearOutcomesOfLines(ForeignFiles.path("atif/v1.5_lines.jsonl"));
  }

  @Test
  void subagentsAreLanesOfTheCallThatStartedThem() throws IOException {
    List<JsonObject> events = events("atif/v1.8_members.json");
    assertThat(events.stream().filter(event -> "sub-1".equals(text(event, "agent"))))
        .isNotEmpty()
        .allMatch(event -> "c2".equals(text(event, "parent")));
    assertThat(events.stream().filter(event -> "compact-1".equals(text(event, "agent"))))
        .isNotEmpty()
        .allMatch(event -> text(event, "parent") == null);
  }

  @Test
  void replacedContextIsThePromptOfTheNextCall() throws IOException {
    JsonObject call = events("atif/v1.8_members.json").stream()
        .filter(event -> "step-8".equals(text(event, "id")) && event.has("prompt_delta"))
        .findFirst()
        .orElseThrow();
    assertThat(call.toString()).contains("Summary: the tests pass.").doesNotContain("ls -la");
  }

  @Test
  void copiedStepsAreOnlyInThePrompt() throws IOException {
    List<JsonObject> events = events("atif/v1.8_members.json");
    assertThat(events.stream().filter(event -> "old_1".equals(text(event, "id"))))
        .isEmpty();
    assertThat(events.stream()
            .filter(event -> "step-5".equals(text(event, "id")))
            .findFirst()
            .map(JsonValue::toString))
        .hasValueSatisfying(prompt -> assertThat(prompt).contains("Earlier answer", "/earlier"));
  }

  @Test
  void filesThatATrajectoryRefersToAreNotImportedTwice() throws IOException {
    Path source = ForeignFiles.path("atif/linear/trajectory.json").getParent();
    List<ImportReport> reports = new ArrayList<>();
    TraceImporter.of(ImportOptions.defaults())
        .importAll(source, directory.resolve("all"), reports::add);
    assertThat(reports).singleElement().satisfies(report -> {
      assertThat(report.outcome()).isEqualTo(Outcome.IMPORTED);
      assertThat(report.sessions().get(0).counts().modelCalls()).isEqualTo(3);
    });
  }

  @Test
  void missingFileIsAFault() throws IOException {
    Path alone = directory.resolve("trajectory.json");
    Files.copy(ForeignFiles.path("atif/linear/trajectory.json"), alone);
    ImportReport report = TraceChecks.importFile(alone, directory.resolve("out"));
    assertThat(report.sessions().get(0).faults())
        .extracting(SourceFault::kind)
        .containsExactly(Kind.MISSING_FILE, Kind.MISSING_FILE);
  }

  @Test
  void filesOutsideTheDirectoryAreNeverRead() throws IOException {
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Files.copy(ForeignFiles.path("atif/v1.0_tool_call.json"), directory.resolve("secret.json"));
    String text = Files.readString(ForeignFiles.path("atif/linear/trajectory.json"))
        .replace("trajectory.cont-1.json", "../secret.json");
    Path source = Files.writeString(inner.resolve("trajectory.json"), text);
    ImportReport report = TraceChecks.importFile(source, directory.resolve("out"));
    assertThat(report.sessions().get(0).counts().modelCalls()).isEqualTo(1);
  }

  @Test
  void trajectoryInSortedOrderIsRecognizedByItsAgent() throws IOException {
    JsonObject tool = JsonObject.of("name", "t", "description", "x".repeat(100_000));
    String text = JsonObject.of(
            "agent",
            JsonObject.of("name", "a", "tool_definitions", List.of(tool), "version", "1"),
            "schema_version",
            "ATIF-v1.7",
            "steps",
            List.of(JsonObject.of("message", "m", "source", "user", "step_id", 1)))
        .toString();
    Path source = Files.writeString(directory.resolve("sorted.json"), text);
    assertThat(TraceImporter.detect(source)).isEqualTo(TraceFormat.ATIF);
  }

  @Test
  void eventsThatWereExportedAreRestored() throws IOException {
    List<JsonObject> events = events("atif/exported.json").stream()
        .map(event -> event.without("imported", "prompt_hash", "params_hash", "output_hash"))
        .toList();
    assertThat(events)
        .contains(
            json(
                "{'event':'SessionStart','issue_number':7,'policy_version':'p-1','session_id':'s-1',"
                    + "'t':'2026-06-01T10:00:00Z','task':'Fix it'}"),
            json(
                "{'event':'ModelCall','id':'m-1','model':'model-a','parameters':{'temperature':0.5},"
                    + "'prompt':{'messages':[{'content':'Fix it','role':'user'}]},"
                    + "'t':'2026-06-01T10:00:01Z'}"),
            json("{'event':'ModelCall','id':'m-2','model':'model-a',"
                + "'prompt_delta':{'base':'m-1','slices':{'/messages':[{'from':0,'to':1},"
                + "{'new':[{'content':'x','role':'tool'}]}]}},'t':'2026-06-01T10:00:05Z'}"),
            json("{'event':'ToolCall','id':'c-1','params':{'path':'a'},'step_id':'s-9',"
                + "'t':'2026-06-01T10:00:02Z','tool':'read'}"),
            json("{'event':'ToolResult','exit_code':0,'id':'c-1','latency_ms':12,'ok':true,"
                + "'output':{'text':'x'},'step_utility':0.5,'t':'2026-06-01T10:00:03Z'}"));
    assertThat(events.get(events.size() - 1))
        .hasToString(
            json("{'confidence':0.75,'event':'SessionEnd','session_id':'s-1','status':'Success',"
                    + "'t':'2026-06-01T10:00:09Z','total_latency_ms':12,'total_tool_calls':1}")
                .toString());
    assertThat(events.stream().map(event -> text(event, "event")))
        .containsSubsequence("ToolResult", "Verification", "ModelCall");
    JsonObject result = events.stream()
        .filter(event -> "ModelResult".equals(text(event, "event")))
        .findFirst()
        .orElseThrow();
    assertThat(result.get("answer")).isEqualTo(json("{'content':'Done','role':'assistant'}"));
    assertThat(result.get("tokens_in")).hasToString("10");
    assertThat(result.get("finish_reason")).hasToString("\"stop\"");
  }

  private static JsonObject json(String text) {
    return JsonText.parse(text.replace('\'', '"')).asObject();
  }

  private List<JsonObject> events(String file) throws IOException {
    return TraceChecks.events(ForeignFiles.path(file), directory.resolve("events"));
  }

  private static String text(JsonObject event, String name) {
    JsonValue value = event.get(name);
    return value == null ? null : value.asString();
  }
}
