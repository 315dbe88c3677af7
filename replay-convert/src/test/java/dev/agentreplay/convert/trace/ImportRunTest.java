package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The account of a run is bounded. */
class ImportRunTest {

  @TempDir
  private Path directory;

  @Test
  void allFaultsAreCounted_andTheFirstListed() throws IOException {
    Path file = Files.writeString(directory.resolve("a.json"), "{}");
    try (ImportRun run =
        new ImportRun(new TraceSource(TraceFormat.ATIF, file), directory.resolve("run"))) {
      for (int i = 0; i < 1_500; i++) {
        run.fault(new SourceFault(Kind.BROKEN_LINE, SourcePlace.line(null, i + 1, 0), "broken"));
      }
      assertThat(run.faults()).hasSize(1_000);
      ImportReport report = new ImportReport(
          file,
          TraceFormat.ATIF,
          file,
          Outcome.IMPORTED,
          null,
          List.of(),
          run.faults(),
          run.faultCount());
      assertThat(report.faultCount()).isEqualTo(1_500);
    }
  }

  @Test
  void sessionsThatAreNotCompletedLeaveNoLock() throws IOException {
    Path file = Files.writeString(directory.resolve("a.json"), "{}");
    Path run = directory.resolve("run");
    try (ImportRun unfinished = new ImportRun(new TraceSource(TraceFormat.ATIF, file), run)) {
      assertThat(unfinished.begin("x", null)).isNotNull();
      assertThat(unfinished.begin("X", null)).isNotNull();
    }
    try (var left = Files.walk(run)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .contains("x", "X-2")
          .noneMatch(name -> name.endsWith(".lock"));
    }
  }
}
