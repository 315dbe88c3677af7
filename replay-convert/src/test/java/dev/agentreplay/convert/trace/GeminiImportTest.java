package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chats of Gemini CLI are imported whole, in both forms. */
class GeminiImportTest {

  private static final String LINES = "gemini-cli/chats/session-2026-05-20T09-00-a8f3c2d1.jsonl";

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> chats() {
    return ForeignFiles.expected("gemini-cli");
  }

  @ParameterizedTest
  @MethodSource("chats")
  void numbersAreThoseOfTheChat(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    TraceChecks.requireAccounted(report);
    assertThat(TraceImporter.detect(expected.path())).isEqualTo(TraceFormat.GEMINI_CLI);
  }

  @Test
  void damagedLinesHaveClearOutcomes() throws IOException {
    new Mutations(TraceFormat.GEMINI_CLI, directory)
        .requireClearOutcomesOfLines(ForeignFiles.path(LINES));
  }

  @Test
  void damagedDocumentsHaveClearOutcomes() throws IOException {
    new Mutations(TraceFormat.GEMINI_CLI, directory)
        .requireClearOutcomesOfDocument(ForeignFiles.path("gemini-cli/write_file.jsonl"));
  }

  @Test
  void lastVersionOfAMessageCounts() throws IOException {
    ImportReport report = TraceChecks.importFile(ForeignFiles.path(LINES), directory.resolve("o"));
    assertThat(report.sessions().get(0).ledger().entries())
        .filteredOn(entry -> entry.action() == Action.DROPPED && entry.member().isEmpty())
        .filteredOn(entry -> entry.record().equals("gemini"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.count()).isEqualTo(3));
  }

  @Test
  void eachValueOfALastVersionIsAccounted() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(ForeignFiles.path(LINES)));
    lines.removeIf(line -> line.contains("\"messages\"") || isChangedLater(line, lines));
    Path source = Files.write(directory.resolve("last.jsonl"), lines);
    ImportReport report = TraceChecks.importFile(source, directory.resolve("out"));
    assertThat(report.sessions().get(0).ledger().entries())
        .noneMatch(entry -> entry.action() == Action.DROPPED);
    TraceChecks.requireAccounted(report);
  }

  private static boolean isChangedLater(String line, List<String> lines) {
    String start = line.substring(0, Math.min(line.length(), "{'id':'g1'".length()));
    return start.startsWith("{\"id\"")
        && lines.subList(lines.indexOf(line) + 1, lines.size()).stream()
            .anyMatch(other -> other.startsWith(start));
  }

  @Test
  void subagentIsALaneBeforeTheResultOfItsCall() throws IOException {
    List<JsonObject> events =
        TraceChecks.events(ForeignFiles.path(LINES), directory.resolve("events"));
    List<String> order = new ArrayList<>();
    for (JsonObject event : events) {
      if (event.has("agent")) {
        assertThat(event.get("agent")).hasToString("\"codebase_investigator-x1y2z3\"");
        assertThat(event.get("parent")).hasToString("\"delegate-1\"");
        order.add("agent");
      } else if (event.has("id") && event.get("id").toString().equals("\"delegate-1\"")) {
        order.add(event.get("event").asString());
      }
    }
    assertThat(order.stream().distinct()).containsExactly("ToolCall", "agent", "ToolResult");
  }

  @Test
  void rewoundMessagesAreNotInLaterPrompts() throws IOException {
    JsonObject call =
        TraceChecks.events(ForeignFiles.path(LINES), directory.resolve("events")).stream()
            .filter(event -> event.has("id") && event.get("id").toString().equals("\"g3\""))
            .findFirst()
            .orElseThrow();
    assertThat(call.toString()).contains("state_snapshot").doesNotContain("Wrong answer");
  }

  @Test
  void chatsOfADirectoryAreImportedWithTheirSubagents() throws IOException {
    Path source = ForeignFiles.path(LINES).getParent();
    List<ImportReport> reports = new ArrayList<>();
    TraceImporter.of(ImportOptions.defaults())
        .importAll(source, directory.resolve("all"), reports::add);
    assertThat(reports).hasSize(1);
  }

  @Test
  void chatWithoutATurnIsRefused() throws IOException {
    Path source = Files.writeString(
        directory.resolve("warning.json"),
        "{\"sessionId\":\"s\",\"projectHash\":\"p\",\"startTime\":\"2026-02-03T04:09:57.093Z\","
            + "\"messages\":[{\"id\":\"w\",\"type\":\"warning\",\"content\":\"Hook failed\"}]}");
    assertThatThrownBy(() -> TraceChecks.importFile(source, directory.resolve("out")))
        .isInstanceOf(NothingRecognizedException.class);
  }
}
