package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only an earlier import, without any other file, is replaced. */
class ReplacedImportTest {

  private static final String LINE =
      """
      {"type":"user","sessionId":"s1","timestamp":"2026-01-01T10:00:00Z",\
      "message":{"role":"user","content":"Fix it"}}
      """;

  private static final String MESSAGE =
      """
      {"session_id":"%s","jsonrpc":"2.0","id":1,"method":"tools/call",\
      "params":{"name":"read","arguments":{}}}
      """;

  private static final TraceImporter REPLACING =
      TraceImporter.of(ImportOptions.defaults().withOverwrite(true));

  @TempDir
  private Path directory;

  private Path source;
  private Path out;

  @BeforeEach
  void importOnce() throws IOException {
    source = Files.writeString(directory.resolve("s1.jsonl"), LINE);
    out = directory.resolve("out");
    REPLACING.importFile(source, out);
  }

  private void assertRefused(Path place, String reason) throws IOException {
    List<Path> before = files(place);
    assertThatThrownBy(() -> REPLACING.importFile(source, place))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(reason);
    assertThat(files(place)).isEqualTo(before);
  }

  private static List<Path> files(Path place) throws IOException {
    try (var found = Files.walk(place)) {
      return found.sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "notes.md",
        ".git/config",
        "blobs/mine.txt",
        "snapshot/a",
        "one/two/three",
        "REPLAY.jsonl/x"
      })
  void fileThatIsNotOfTheSessionIsKept_andNamed(String name) throws IOException {
    Path file = out.resolve(name);
    if (name.startsWith("REPLAY")) {
      Files.delete(out.resolve("REPLAY.jsonl"));
    }
    Files.createDirectories(file.getParent());
    Files.writeString(file, "mine");

    assertRefused(out, "other files, such as " + name.split("/")[0]);
    assertThat(file).hasContent("mine");
  }

  @Test
  void linkInAnImportIsKept() throws IOException {
    Files.createSymbolicLink(out.resolve("PR_SUMMARY.md"), source);
    assertRefused(out, "PR_SUMMARY.md");
  }

  @Test
  void filesThatBelongToASessionAreReplaced() throws IOException {
    for (String name : List.of("PR_SUMMARY.md", "ACCEPTED.json", "RECEIPT.dsse.json")) {
      Files.writeString(out.resolve(name), "{}");
    }
    Files.createDirectories(out.resolve("blobs"));
    Files.writeString(out.resolve("blobs/sha256-" + "0".repeat(64) + ".json"), "{}");

    REPLACING.importFile(source, out);

    assertThat(files(out).stream().map(file -> out.relativize(file).toString()))
        .contains("REPLAY.jsonl", "RECEIPT.json", "IMPORT.json")
        .doesNotContain("PR_SUMMARY.md", "blobs");
  }

  @Test
  void sourceIsNotReplaced() throws IOException {
    source = Files.move(source, out.resolve("PR_SUMMARY.md"));
    assertRefused(out, "the source is in it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{", "{\"schema\":\"mine/1\"}"})
  void accountOfADifferentProgramIsNotAnImport(String account) throws IOException {
    Files.writeString(out.resolve("IMPORT.json"), account);
    assertRefused(out, "no import");
  }

  @Test
  void directoryOfImportsIsNotAnImport() throws IOException {
    Path imports = Files.createDirectories(directory.resolve("imports"));
    Files.move(out, imports.resolve("one"));
    assertRefused(imports, "no import");
    Path other = Files.writeString(directory.resolve("s2.jsonl"), LINE);
    REPLACING.importFile(other, imports.resolve("two"));
    assertRefused(imports, "no import");
  }

  @Test
  void importOfSeveralSessionsIsReplaced() throws IOException {
    Path log = Files.writeString(
        directory.resolve("log.jsonl"), MESSAGE.formatted("a") + MESSAGE.formatted("b"));
    Path several = directory.resolve("several");
    assertThat(REPLACING.importFile(log, several).sessions()).hasSize(2);
    assertThat(REPLACING.importFile(log, several).sessions()).hasSize(2);

    Path notes = Files.writeString(several.resolve("notes.md"), "mine");
    assertRefused(several, "notes.md");
    Files.delete(notes);
    Files.writeString(several.resolve("b/notes.md"), "mine");
    assertRefused(several, "b/notes.md".replace("/", several.getFileSystem().getSeparator()));
  }

  @Test
  void importWhoseLogIsMissingOrChanged_isNotUnchanged() throws IOException {
    Path traces = Files.createDirectories(directory.resolve("traces"));
    Files.move(source, traces.resolve("s1.jsonl"));
    Path imported = directory.resolve("all/s1");
    Path log = imported.resolve(Session.LOG_NAME);
    assertThat(outcome(traces, false)).isEqualTo(Outcome.IMPORTED);
    assertThat(outcome(traces, false)).isEqualTo(Outcome.UNCHANGED);
    byte[] bytes = Files.readAllBytes(log);

    Files.delete(log);
    assertThat(outcome(traces, false)).isEqualTo(Outcome.CHANGED);
    assertThat(outcome(traces, true)).isEqualTo(Outcome.IMPORTED);
    assertThat(log).hasBinaryContent(bytes);

    Files.writeString(log, Files.readString(log).replace("Fix it", "Mend it"));
    assertThat(outcome(traces, false)).isEqualTo(Outcome.CHANGED);
    Files.write(log, bytes);
    Files.delete(imported.resolve(Session.RECEIPT_NAME));
    assertThat(outcome(traces, false)).isEqualTo(Outcome.CHANGED);
    assertThat(outcome(traces, true)).isEqualTo(Outcome.IMPORTED);
    assertThat(outcome(traces, true)).isEqualTo(Outcome.UNCHANGED);
  }

  private Outcome outcome(Path traces, boolean overwrites) throws IOException {
    List<ImportReport> reports = new ArrayList<>();
    TraceImporter.of(ImportOptions.defaults().withOverwrite(overwrites))
        .importAll(traces, directory.resolve("all"), reports::add);
    assertThat(reports).hasSize(1);
    return reports.get(0).outcome();
  }
}
