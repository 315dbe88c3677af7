package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The conversations of OpenHands are imported whole. */
class OpenHandsImportTest {

  private static final String KINDS = "openhands/all_kinds.jsonl";

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> conversations() {
    return ForeignFiles.expected("openhands");
  }

  @ParameterizedTest
  @MethodSource("conversations")
  void numbersAreThoseOfTheConversation(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    assertThat(LeafAccount.missing(report, documents(expected.path()))).isEmpty();
    assertThat(TraceImporter.detect(expected.path())).isEqualTo(TraceFormat.OPENHANDS);
  }

  private static List<JsonValue> documents(Path source) throws IOException {
    List<JsonValue> documents = new ArrayList<>();
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.toString().endsWith("l")) {
          for (String line : Files.readAllLines(file)) {
            documents.add(JsonText.parse(line));
          }
        } else {
          documents.add(JsonText.parse(Files.readAllBytes(file)));
        }
      }
    }
    return documents;
  }

  @Test
  void damagedLinesHaveClearOutcomes() throws IOException {
    new Mutations(TraceFormat.OPENHANDS, directory)
        .requireClearOutcomesOfLines(ForeignFiles.path(KINDS));
  }

  @Test
  void damagedDocumentsHaveClearOutcomes() throws IOException {
    for (String file : List.of("openhands/v0_events.json", "openhands/completion_log.json")) {
      Path own = Files.createDirectory(directory.resolve(Path.of(file).getFileName()));
      new Mutations(TraceFormat.OPENHANDS, own)
          .requireClearOutcomesOfDocument(ForeignFiles.path(file));
    }
  }

  @Test
  void actionsOfOneResponseAreOneAnswer() throws IOException {
    List<JsonObject> events = events("r1");
    assertThat(events).hasSize(2);
    assertThat(events.get(1).at("/answer/tool_calls").asArray().size()).isEqualTo(2);
    assertThat(events.get(1).get("latency_ms")).hasToString("2250");
  }

  @Test
  void condensationReplacesForgottenEventsBySummary() throws IOException {
    String prompt = events("r3").get(0).toString();
    assertThat(prompt).contains("Listed the files: a.txt");
    assertThat(prompt).doesNotContain("A rule of the folder");
  }

  @Test
  void unknownKindIsCounted() throws IOException {
    ImportReport report =
        TraceChecks.importFile(ForeignFiles.path(KINDS), directory.resolve("out"));
    assertThat(report.sessions().get(0).unknownRecords()).containsOnlyKeys("NewestEvent");
  }

  @Test
  void lastStateIsTheEnd() throws IOException {
    List<JsonObject> events =
        TraceChecks.events(ForeignFiles.path(KINDS), directory.resolve("out"));
    JsonObject last = events.get(events.size() - 1);
    assertThat(last.get("event")).hasToString("\"SessionEnd\"");
    assertThat(last.get("status")).hasToString("\"Failed\"");
  }

  @Test
  void brokenEventOfADirectoryIsAFault() throws IOException {
    Path source = copy(ForeignFiles.path("openhands/conversation"));
    Path event;
    try (Stream<Path> files = Files.list(source.resolve("events"))) {
      event = files.sorted().skip(4).findFirst().orElseThrow();
    }
    Files.writeString(event, Files.readString(event).substring(0, 100));
    ImportReport report = TraceChecks.importFile(source, directory.resolve("out"));
    ImportedSession session = report.sessions().get(0);
    assertThat(session.faults()).extracting(SourceFault::kind).containsExactly(Kind.BROKEN_LINE);
    assertThat(session.counts().orphanResults()).isEqualTo(1);
    TraceChecks.requireValid(report);
  }

  private Path copy(Path source) throws IOException {
    Path target = directory.resolve("copy");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(source.relativize(file).toString()));
      }
    }
    return target;
  }

  private List<JsonObject> events(String id) throws IOException {
    return TraceChecks.events(ForeignFiles.path(KINDS), directory.resolve("events")).stream()
        .filter(event -> event.has("id") && event.get("id").toString().equals('"' + id + '"'))
        .toList();
  }
}
