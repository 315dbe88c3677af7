package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All traces below a directory are found, whatever else is there, and nothing outside of it. */
@Timeout(300)
class TraceSearchTest {

  private static final String LINE =
      """
      {"type":"user","sessionId":"s1","timestamp":"2026-01-01T10:00:00Z",\
      "message":{"role":"user","content":"Fix it"}}
      """;

  private static final byte[] GZIP = {0x1f, (byte) 0x8b, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
  private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 9, 9, 9, 9, 9, 9};

  @TempDir
  private Path directory;

  private Path traces;
  private Path out;

  @BeforeEach
  void traces() throws IOException {
    traces = Files.createDirectories(directory.resolve("traces"));
    out = directory.resolve("out");
  }

  private void write(String name) throws IOException {
    write(name, LINE.getBytes());
  }

  private void write(String name, byte[] bytes) throws IOException {
    Path file = traces.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.write(file, bytes);
  }

  private List<ImportReport> reports(ImportOptions options) throws IOException {
    List<ImportReport> reports = new ArrayList<>();
    TraceImporter.of(options).importAll(traces, out, reports::add);
    return reports;
  }

  private List<String> outcomes() throws IOException {
    return reports(ImportOptions.defaults().withOverwrite(true)).stream()
        .map(report ->
            out.relativize(report.out()).toString().replace('\\', '/') + " " + report.outcome())
        .toList();
  }

  @Test
  void damagedFilesDoNotPreventTheOthers() throws IOException {
    write("a.jsonl");
    write("bad.gz", GZIP);
    write("bad.zst", ZSTD);
    write("c.jsonl");

    List<ImportReport> reports = reports(ImportOptions.defaults());

    assertThat(reports)
        .extracting(ImportReport::outcome)
        .containsExactly(Outcome.IMPORTED, Outcome.FAILED, Outcome.FAILED, Outcome.IMPORTED);
    assertThat(reports.get(1).source()).isEqualTo(traces.resolve("bad.gz"));
    assertThat(reports.get(1).message()).contains("bad.gz").doesNotContain("internal");
    assertThat(reports.get(2).message()).doesNotContain("internal");
  }

  @Test
  void directoryThatCannotBeReadDoesNotPreventTheOthers() throws IOException {
    write("a.jsonl");
    write("closed/b.jsonl");
    write("d.jsonl");
    assumeTrue(traces.resolve("closed").toFile().setReadable(false));
    assumeTrue(!Files.isReadable(traces.resolve("closed")), "run by root");

    assertThat(outcomes()).containsExactly("a IMPORTED", "closed FAILED", "d IMPORTED");
  }

  @Test
  void namesThatDifferInThePartsBeforeTheTypeAreDifferent() throws IOException {
    write("run.1.jsonl");
    write("run.2.jsonl");
    assertThat(outcomes()).containsExactly("run.1 IMPORTED", "run.2 IMPORTED");
    assertThat(outcomes()).containsExactly("run.1 UNCHANGED", "run.2 UNCHANGED");
  }

  @Test
  void sessionIsNotInTheDirectoryOfAnother() throws IOException {
    write("one.jsonl");
    assertThat(outcomes()).containsExactly("one IMPORTED");
    write("one/two.jsonl");
    write("one/three.jsonl");

    assertThat(outcomes())
        .containsExactly("one/three FAILED", "one/two FAILED", "one.jsonl IMPORTED");
    TestFiles.delete(out);
    assertThat(outcomes())
        .containsExactly("one/three IMPORTED", "one/two IMPORTED", "one.jsonl IMPORTED");
    write("one.jsonl", (LINE + LINE.replace("Fix it", "Again")).getBytes());
    assertThat(outcomes())
        .containsExactly("one/three UNCHANGED", "one/two UNCHANGED", "one.jsonl IMPORTED");
  }

  @Test
  void directoryOfOneSessionIsNotThatOfAll() throws IOException {
    write("a.jsonl");
    TraceImporter importer = TraceImporter.of(ImportOptions.defaults().withOverwrite(true));
    importer.importFile(traces.resolve("a.jsonl"), out);

    assertThatThrownBy(this::outcomes)
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("imported session");
  }

  @Test
  void importedSessionsAndRemainsAreNotTraces() throws IOException {
    write("a.jsonl");
    TraceImporter importer = TraceImporter.of(ImportOptions.defaults());
    importer.importFile(traces.resolve("a.jsonl"), traces.resolve("imported"));
    write("imported/mine.jsonl");
    write(".replay.0123456789abcdef.tmp/s1/b.jsonl");
    out = traces.resolve("out");
    write("out/c.jsonl");

    assertThat(outcomes()).containsExactly("a IMPORTED");
    assertThat(outcomes()).containsExactly("a UNCHANGED");
  }

  @Test
  void linksAndPipesAreNotRead() throws Exception {
    write("a.jsonl");
    Path outside = Files.createDirectories(directory.resolve("outside"));
    Files.writeString(outside.resolve("secret.jsonl"), LINE);
    Files.createSymbolicLink(traces.resolve("linked"), outside);
    Files.createSymbolicLink(traces.resolve("linked.jsonl"), outside.resolve("secret.jsonl"));
    boolean unused = TestFiles.makePipe(traces.resolve("pipe.jsonl"));

    assertThat(outcomes()).containsExactly("a IMPORTED");
  }

  @Test
  void directoryThatIsOneTraceIsImportedAsOne() throws IOException {
    write("base_state.json", "{\"id\":\"c1\"}".getBytes());
    String event =
        """
        {"kind":"MessageEvent","source":"user","id":"e1","timestamp":"2026-01-01T10:00:00",\
        "llm_message":{"role":"user","content":[{"type":"text","text":"Fix it"}]}}
        """;
    write("events/event-00000-e1.json", event.getBytes());
    Files.createSymbolicLink(
        traces.resolve("events/event-00001-e2.json"),
        Files.writeString(directory.resolve("secret"), event.replace("e1", "e2")));

    List<ImportReport> reports = reports(ImportOptions.defaults());

    assertThat(reports).hasSize(1);
    assertThat(reports.get(0).out()).isEqualTo(out.resolve("traces"));
    assertThat(reports.get(0).faults()).singleElement().satisfies(fault -> assertThat(
            fault.place().file())
        .isEqualTo("events/event-00001-e2.json"));
  }

  @Test
  void directoryWithoutATraceOfTheFormatIsRefused() throws IOException {
    write("a.jsonl");
    assertThatThrownBy(() -> reports(ImportOptions.defaults().withFrom(TraceFormat.CODEX)))
        .isInstanceOf(NothingRecognizedException.class);
    assertThat(out).doesNotExist();
  }

  @Test
  void failureOfTheReceiverIsThrown() throws IOException {
    write("a.jsonl");
    TraceImporter importer = TraceImporter.of(ImportOptions.defaults());
    assertThatThrownBy(() -> importer.importAll(traces, out, report -> {
          throw new IllegalStateException("full");
        }))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void faultOfThisProgramIsToldWithItsPlace_notWithTheValue() {
    assertThat(TraceImporter.message(new IllegalStateException("sk-secret")))
        .startsWith("internal error: java.lang.IllegalStateException at ")
        .contains("TraceSearchTest")
        .doesNotContain("secret");
    assertThat(TraceImporter.message(new IOException("a\u001b[31m"))).isEqualTo("a\u241b[31m");
  }
}
