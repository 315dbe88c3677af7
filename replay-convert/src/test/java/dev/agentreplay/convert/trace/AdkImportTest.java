package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings and sessions of the Agent Development Kit are imported whole. */
class AdkImportTest {

  private static final String RECORDINGS = "adk/generated-recordings.yaml";
  private static final String SESSION = "adk/session.json";

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> files() {
    return ForeignFiles.expected("adk");
  }

  @ParameterizedTest
  @MethodSource("files")
  void numbersAreThoseOfTheFile(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    assertThat(TraceImporter.detect(expected.path())).isEqualTo(TraceFormat.ADK);
  }

  @Test
  void sessionInYamlIsRecognized() throws IOException {
    Path source = Files.writeString(
        directory.resolve("session.yaml"),
        "app_name: a\nuser_id: u\nid: s-1\nevents:\n- author: user\n  content:\n    parts:\n"
            + "    - text: hello\n  timestamp: 1777900000.5\n");
    ImportReport report = TraceChecks.importFile(source, directory.resolve("out"));
    assertThat(report.sessions().get(0).id()).isEqualTo("s-1");
    assertThat(report.sessions().get(0).counts().messages()).isEqualTo(1);
  }

  @Test
  void eachValueOfASessionIsAccounted() throws IOException {
    TraceChecks.requireAccounted(
        TraceChecks.importFile(ForeignFiles.path(SESSION), directory.resolve("out")));
  }

  @Test
  void eachScalarOfRecordingsIsAccounted() throws IOException {
    Path source = ForeignFiles.path(RECORDINGS);
    ImportReport report = TraceChecks.importFile(source, directory.resolve("out"));
    String json =
        """
        ["home_automation", "helper", "gemini-2.5-flash", "Be brief.", 0.10, "Sets a device",
         "on", 0.5, null, "2026-05-01", "STOP", 12, 345, 7, 364, "adk-1", "adk-2", "ok", "yes",
         "y", true, "AbC=", 1, 20, "Thanks", "RESOURCE_EXHAUSTED", "Quota exceeded", "BOOLEAN"]
        """
            .replace("Be brief.", "You are a home automation agent.\\n\\nBe brief.");
    assertThat(LeafAccount.missing(report, List.of(JsonText.parse(json)))).isEmpty();
  }

  @Test
  void damagedRecordingsHaveClearOutcomes() throws IOException {
    new Mutations(TraceFormat.ADK, directory)
        .requireClearOutcomesOfDocument(ForeignFiles.path(SESSION));
    List<String> lines = Files.readAllLines(ForeignFiles.path(RECORDINGS));
    for (int i = 0; i < lines.size(); i++) {
      outcome(String.join("\n", lines.subList(0, i)), "cut-" + i);
      List<String> broken = new ArrayList<>(lines);
      broken.set(i, lines.get(i) + " [}");
      outcome(String.join("\n", broken), "broken-" + i);
    }
  }

  private void outcome(String text, String name) throws IOException {
    Path source = Files.writeString(directory.resolve(name + ".yaml"), text);
    ImportOptions options = ImportOptions.defaults().withFrom(TraceFormat.ADK);
    try {
      TraceChecks.requireValid(
          TraceImporter.of(options).importFile(source, directory.resolve(name)));
    } catch (IOException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @Test
  void agentsAreLanesOfTheCallThatStartedThem() throws IOException {
    for (String file : List.of(RECORDINGS, SESSION)) {
      List<JsonObject> lane =
          events(file).stream().filter(event -> event.has("agent")).toList();
      assertThat(lane).isNotEmpty();
      assertThat(lane).allMatch(event -> List.of("\"adk-2\"", "\"adk-10\"")
          .contains(String.valueOf(event.get("parent"))));
    }
  }

  @Test
  void resultOfACallFollowsTheAgentThatItStarted() throws IOException {
    List<String> order = events(RECORDINGS).stream()
        .filter(event -> event.has("agent") || "\"adk-2\"".equals(String.valueOf(event.get("id"))))
        .map(event -> event.has("agent") ? "agent" : event.get("event").asString())
        .distinct()
        .toList();
    assertThat(order).containsExactly("ToolCall", "agent", "ToolResult");
  }

  @Test
  void promptIsAsRecorded() throws IOException {
    JsonObject call = events(RECORDINGS).stream()
        .filter(event -> event.has("prompt"))
        .findFirst()
        .orElseThrow();
    assertThat(call.at("/prompt/system").asString())
        .isEqualTo("You are a home automation agent.\n\nBe brief.");
    assertThat(call.at("/prompt/messages/0/parts/0/text").asString())
        .isEqualTo("Turn on the “kitchen” light, please.\nThen ask the helper.");
    assertThat(call.at("/parameters/temperature")).hasToString("0.1");
    assertThat(call.at("/parameters/other_options")).isEqualTo(call.at("/parameters/http_options"));
  }

  @Test
  void failedCallHasItsError() throws IOException {
    assertThat(events(RECORDINGS).stream()
            .filter(event -> "\"model#3\"".equals(String.valueOf(event.get("id"))))
            .map(event -> event.get("error"))
            .filter(JsonValue.class::isInstance))
        .singleElement()
        .hasToString("{\"message\":\"Quota exceeded\",\"name\":\"RESOURCE_EXHAUSTED\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
            + "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
            + "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
            + "g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]",
        "a: &a [*a]",
        "a: 1\na: 2",
        "? [k]\n: v",
        "a: *nothing",
        "a: \"\\ud800",
        "recordings:\n\t- x"
      })
  void dangerousYamlIsRefused(String text) throws IOException {
    Path source = Files.writeString(directory.resolve("dangerous.yaml"), text);
    ImportOptions options = ImportOptions.defaults().withFrom(TraceFormat.ADK);
    assertThatThrownBy(() -> TraceImporter.of(options).importFile(source, directory.resolve("out")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("dangerous.yaml: ");
  }

  @Test
  void deepYamlIsRefused() throws IOException {
    Path source = Files.writeString(directory.resolve("deep.yaml"), "[".repeat(100_000));
    ImportOptions options = ImportOptions.defaults().withFrom(TraceFormat.ADK);
    assertThatThrownBy(() -> TraceImporter.of(options).importFile(source, directory.resolve("out")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("deeper");
  }

  private List<JsonObject> events(String file) throws IOException {
    return TraceChecks.events(
        ForeignFiles.path(file), directory.resolve(file.replaceAll("\\W", "_")));
  }
}
