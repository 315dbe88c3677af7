package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import writes whole sessions or nothing, and states what it was made of. */
class TraceImporterTest {

  private static final String LINE =
      """
      {"type":"user","sessionId":"s1","timestamp":"2026-01-01T10:00:00Z",\
      "message":{"role":"user","content":"Fix it"}}
      """;

  private static final TraceImporter IMPORTER = TraceImporter.of(ImportOptions.defaults());

  @TempDir
  private Path directory;

  private Path source;
  private Path out;

  @BeforeEach
  void write() throws IOException {
    source = Files.writeString(directory.resolve("s1.jsonl"), LINE);
    out = directory.resolve("out");
  }

  private List<String> left() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void headerAndReceiptNameTheSource() throws IOException {
    IMPORTER.importFile(source, out);

    ReplayHeader header = (ReplayHeader) ImportedEvents.read(out).get(0);
    JsonObject origin = header.meta().extra().get("imported_from").asObject();
    assertThat(origin)
        .isEqualTo(JsonObject.of(
            "files",
            List.of(JsonObject.of(
                "bytes", LINE.length(),
                "name", "s1.jsonl",
                "sha256", ContentHash.sha256(Files.readAllBytes(source)).toString())),
            "format",
            "claude-code"));
    JsonObject receipt =
        JsonText.parse(Files.readAllBytes(out.resolve(Session.RECEIPT_NAME))).asObject();
    assertThat(receipt.get("imported_from")).isEqualTo(origin);
  }

  @Test
  void sameSourceGivesTheSameBytes() throws IOException {
    IMPORTER.importFile(source, out);
    IMPORTER.importFile(source, directory.resolve("again"));

    for (String name : List.of("REPLAY.jsonl", "RECEIPT.json", "IMPORT.json")) {
      assertThat(directory.resolve("again").resolve(name))
          .hasSameBinaryContentAs(out.resolve(name));
    }
  }

  @Test
  void compressedSourceIsRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(LINE.getBytes());
    }
    Files.write(source, bytes.toByteArray());

    assertThat(IMPORTER.importFile(source, out).sessions()).hasSize(1);
  }

  @Test
  void existingFilesAreRefused() throws IOException {
    Files.createDirectory(out);
    IMPORTER.importFile(source, out); // an empty directory is free

    assertThatThrownBy(() -> IMPORTER.importFile(source, out))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("earlier import");
    Path other = Files.createDirectory(directory.resolve("other"));
    Files.writeString(other.resolve("precious"), "x");
    TraceImporter replacing = TraceImporter.of(ImportOptions.defaults().withOverwrite(true));
    assertThatThrownBy(() -> replacing.importFile(source, other))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("no import");
    assertThat(other.resolve("precious")).exists();
  }

  @Test
  void earlierImportIsReplacedIfRequested() throws IOException {
    IMPORTER.importFile(source, out);
    Files.writeString(source, LINE.replace("Fix it", "Mend it"), StandardOpenOption.APPEND);
    TraceImporter.of(ImportOptions.defaults().withOverwrite(true)).importFile(source, out);

    assertThat(Files.readString(out.resolve("REPLAY.jsonl"))).contains("Mend it");
    assertThat(left()).containsExactly("out", "s1.jsonl");
  }

  @Test
  void failedImportLeavesNothing_andAnEarlierOneAsItWas() throws IOException {
    IMPORTER.importFile(source, out);
    byte[] before = Files.readAllBytes(out.resolve("REPLAY.jsonl"));
    Files.writeString(source, "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"u\"}\n");

    assertThatThrownBy(() ->
            TraceImporter.of(ImportOptions.defaults().withOverwrite(true)).importFile(source, out))
        .isInstanceOf(NothingRecognizedException.class)
        .hasMessageStartingWith("[IMPORT_NOTHING_RECOGNISED] s1.jsonl");
    assertThat(out.resolve("REPLAY.jsonl")).hasBinaryContent(before);
    assertThat(left()).containsExactly("out", "s1.jsonl");
  }

  @Test
  void formatThatIsNotKnownIsRefused() throws IOException {
    Files.writeString(source, "{\"hello\":1}\n");

    assertThat(TraceImporter.detect(source)).isNull();
    assertThatThrownBy(() -> IMPORTER.importFile(source, out))
        .isInstanceOf(NothingRecognizedException.class)
        .hasMessageContaining(NothingRecognizedException.CODE);
    assertThatThrownBy(() -> IMPORTER.importFile(directory.resolve("missing"), out))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void recordsOfAFormatThatHasChangedAreNotSilentlyNothing() throws IOException {
    Files.writeString(source, LINE.replace("\"user\"", "\"human_turn\""));

    TraceImporter importer =
        TraceImporter.of(ImportOptions.defaults().withFrom(TraceFormat.CLAUDE_CODE));
    assertThatThrownBy(() -> importer.importFile(source, out))
        .isInstanceOf(NothingRecognizedException.class)
        .hasMessageContaining("may have changed");
  }

  @Test
  void unknownRecordsAreCountedByName_andKept() throws IOException {
    Files.writeString(
        source,
        "{\"type\":\"of_next_year\",\"plan\":[4711]}\n".repeat(3),
        StandardOpenOption.APPEND);

    ImportedSession session = IMPORTER.importFile(source, out).sessions().get(0);

    assertThat(session.unknownRecords()).containsOnly(java.util.Map.entry("of_next_year", 3L));
    assertThat(Files.readString(out.resolve("REPLAY.jsonl"))).contains("\"plan\":[4711]");
  }

  @Test
  void directoryIsImportedTrace_byTrace_andOnlyWhatIsNew() throws IOException {
    Path projects = Files.createDirectories(directory.resolve("projects"));
    for (String name : List.of("a/one", "a/two", "b/one")) {
      Path file = projects.resolve(name + ".jsonl");
      Files.createDirectories(file.getParent());
      Files.writeString(file, LINE.replace("s1", name.replace('/', '-')));
    }
    Files.writeString(projects.resolve("notes.md"), "no trace");
    Files.createDirectories(projects.resolve("a/one/subagents"));
    Files.writeString(projects.resolve("a/one/subagents/agent-x.jsonl"), LINE);

    assertThat(outcomes(projects, IMPORTER))
        .containsExactly("one IMPORTED", "two IMPORTED", "one IMPORTED");
    assertThat(out.resolve("a").resolve("one").resolve("REPLAY.jsonl")).exists();

    Files.writeString(projects.resolve("a/two.jsonl"), LINE, StandardOpenOption.APPEND);
    Files.writeString(projects.resolve("b/two.jsonl"), LINE);
    assertThat(outcomes(projects, IMPORTER))
        .containsExactly("one UNCHANGED", "two CHANGED", "one UNCHANGED", "two IMPORTED");
    TraceImporter replacing = TraceImporter.of(ImportOptions.defaults().withOverwrite(true));
    assertThat(outcomes(projects, replacing))
        .containsExactly("one UNCHANGED", "two IMPORTED", "one UNCHANGED", "two UNCHANGED");
  }

  @Test
  void traceThatFailsDoesNotPreventTheOthers() throws IOException {
    Path projects = Files.createDirectories(directory.resolve("projects"));
    Files.writeString(
        projects.resolve("empty.jsonl"), "{\"type\":\"summary\",\"leafUuid\":\"u\"}\n");
    Files.writeString(projects.resolve("good.jsonl"), LINE);

    assertThat(outcomes(projects, IMPORTER)).containsExactly("empty FAILED", "good IMPORTED");
  }

  private List<String> outcomes(Path projects, TraceImporter importer) throws IOException {
    List<ImportReport> reports = new ArrayList<>();
    importer.importAll(projects, out, reports::add);
    assertThat(reports)
        .allMatch(report -> report.outcome() == Outcome.FAILED
            ? report.message() != null
            : report.message() == null);
    return reports.stream()
        .map(report -> report.out().getFileName() + " " + report.outcome())
        .toList();
  }
}
