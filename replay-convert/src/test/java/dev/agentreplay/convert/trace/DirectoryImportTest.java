package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.ImportTotals;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traces of a directory are imported, only those that are new. */
class DirectoryImportTest {

  private static final Path SAMPLE = ForeignFiles.path("claude-code/sample_session.jsonl");
  private static final Path PENDING = ForeignFiles.path("claude-code/tool_call_pending.jsonl");

  @TempDir
  private Path directory;

  private Path traces;
  private Path out;

  @BeforeEach
  void traces() throws IOException {
    traces = Files.createDirectories(directory.resolve("traces"));
    out = directory.resolve("out");
    Files.createDirectories(traces.resolve("b"));
    Files.copy(SAMPLE, traces.resolve("a.jsonl"));
    Files.copy(PENDING, traces.resolve("b/c.jsonl"));
    Files.writeString(traces.resolve("notes.md"), "not a trace\n");
  }

  private List<ImportReport> importAll(boolean overwrites) throws IOException {
    List<ImportReport> reports = new ArrayList<>();
    TraceImporter.of(ImportOptions.defaults().withOverwrite(overwrites))
        .importAll(traces, out, reports::add);
    return reports;
  }

  private List<Outcome> outcomes(boolean overwrites) throws IOException {
    return importAll(overwrites).stream().map(ImportReport::outcome).toList();
  }

  @Test
  void each_trace_has_a_directory_with_its_name() throws IOException {
    assertThat(importAll(false))
        .extracting(ImportReport::outcome, ImportReport::out)
        .containsExactly(
            tuple(Outcome.IMPORTED, out.resolve("a")), tuple(Outcome.IMPORTED, out.resolve("b/c")));
    assertThat(out.resolve("a").resolve(Session.LOG_NAME)).exists();
    assertThat(out.resolve("b/c").resolve(Session.RECEIPT_NAME)).exists();
  }

  @Test
  void only_what_is_new_is_imported() throws IOException {
    importAll(false);
    assertThat(outcomes(false)).containsExactly(Outcome.UNCHANGED, Outcome.UNCHANGED);
    byte[] before = Files.readAllBytes(out.resolve("a").resolve(Session.LOG_NAME));
    Files.writeString(
        traces.resolve("a.jsonl"),
        Files.readString(SAMPLE) + Files.readAllLines(SAMPLE).get(0) + "\n");

    assertThat(outcomes(false)).containsExactly(Outcome.CHANGED, Outcome.UNCHANGED);
    assertThat(out.resolve("a").resolve(Session.LOG_NAME)).hasBinaryContent(before);

    assertThat(outcomes(true)).containsExactly(Outcome.IMPORTED, Outcome.UNCHANGED);
    assertThat(Files.readAllBytes(out.resolve("a").resolve(Session.LOG_NAME))).isNotEqualTo(before);
  }

  @Test
  void trace_that_fails_does_not_prevent_the_others() throws IOException {
    Files.writeString(
        traces.resolve("a0.jsonl"),
        "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"5f0c\"}\n");
    Files.write(traces.resolve("z.gz"), new byte[] {0x1f, (byte) 0x8b, 1, 2, 3});
    List<ImportReport> reports = importAll(false);
    assertThat(reports)
        .extracting(ImportReport::outcome)
        .containsExactly(Outcome.IMPORTED, Outcome.FAILED, Outcome.IMPORTED, Outcome.FAILED);
    assertThat(reports.get(1).message()).startsWith("[IMPORT_NOTHING_RECOGNISED] a0.jsonl: ");
    assertThat(out.resolve("a0")).doesNotExist();
    assertThat(reports.get(3).source()).isEqualTo(traces.resolve("z.gz"));
  }

  @Test
  void names_that_differ_after_a_dot_do_not_replace_one_another() throws IOException {
    Files.copy(PENDING, traces.resolve("a.log"));
    assertThat(importAll(true))
        .extracting(ImportReport::out)
        .containsExactly(out.resolve("a"), out.resolve("a.log"), out.resolve("b/c"));
    assertThat(outcomes(true))
        .containsExactly(Outcome.UNCHANGED, Outcome.UNCHANGED, Outcome.UNCHANGED);
  }

  @Test
  void session_is_not_in_the_directory_of_another() throws IOException {
    Files.copy(PENDING, traces.resolve("b.jsonl"));
    assertThat(importAll(true))
        .extracting(ImportReport::out)
        .containsExactly(out.resolve("a"), out.resolve("b/c"), out.resolve("b.jsonl"));
    Files.writeString(traces.resolve("b.jsonl"), Files.readString(SAMPLE));
    assertThat(outcomes(true))
        .containsExactly(Outcome.UNCHANGED, Outcome.UNCHANGED, Outcome.IMPORTED);
    assertThat(out.resolve("b/c").resolve(Session.LOG_NAME)).exists();
  }

  @Test
  void directory_of_the_sessions_in_that_of_the_traces_is_not_imported() throws IOException {
    out = traces.resolve("imported");
    assertThat(outcomes(false)).hasSize(2);
    Files.copy(SAMPLE, out.resolve("trace.jsonl"));
    assertThat(outcomes(false)).containsExactly(Outcome.UNCHANGED, Outcome.UNCHANGED);
  }

  @Test
  void directory_other_than_an_import_is_not_replaced() throws IOException {
    Files.createDirectories(out.resolve("a"));
    Files.writeString(out.resolve("a/mine.txt"), "mine");
    List<ImportReport> reports = importAll(true);
    assertThat(reports)
        .extracting(ImportReport::outcome)
        .containsExactly(Outcome.FAILED, Outcome.IMPORTED);
    assertThat(out.resolve("a/mine.txt")).hasContent("mine");
  }

  @Test
  void directory_without_a_trace_is_refused() throws IOException {
    traces = Files.createDirectories(directory.resolve("empty"));
    assertThatThrownBy(() -> importAll(false))
        .isInstanceOf(NothingRecognizedException.class)
        .hasMessageContaining("empty: no trace of a format that can be imported");
    assertThat(out).doesNotExist();
  }

  @Test
  void totals_are_the_sums_of_the_reports() throws IOException {
    ImportTotals totals = ImportTotals.NONE;
    List<ImportReport> reports = importAll(false);
    for (ImportReport report : reports) {
      totals = totals.plus(report);
    }
    assertThat(totals.sources()).isEqualTo(2);
    assertThat(totals.count(Outcome.IMPORTED)).isEqualTo(2);
    assertThat(totals.sessions()).isEqualTo(2);
    for (Action action : Action.values()) {
      assertThat(totals.ledger().count(action))
          .isEqualTo(reports.stream()
              .flatMap(report -> report.sessions().stream())
              .mapToLong(session -> session.ledger().count(action))
              .sum());
    }
    assertThat(totals.counts().toolCalls()).isEqualTo(3);
    assertThat(ReportSchemas.faults(totals.toJson())).isEmpty();
  }

  @Test
  void reports_and_accounts_have_the_published_schemas() throws IOException {
    Files.copy(ForeignFiles.path("claude-code/truncated.jsonl"), traces.resolve("t.jsonl"));
    Files.copy(ForeignFiles.path("claude-code/record_types.jsonl"), traces.resolve("u.jsonl"));
    Files.write(traces.resolve("z.gz"), new byte[] {0x1f, (byte) 0x8b, 1, 2, 3});
    for (ImportReport report : importAll(false)) {
      assertThat(ReportSchemas.faults(report.toJson())).isEmpty();
      for (ImportedSession session : report.sessions()) {
        assertThat(ReportSchemas.faults(session.toJson())).isEmpty();
      }
    }
    for (ImportReport report : importAll(false)) {
      assertThat(ReportSchemas.faults(report.toJson())).isEmpty();
    }
  }
}
