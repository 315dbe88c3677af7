package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Spans of OpenTelemetry, OpenInference and Langfuse are imported whole. */
class SpanImportTest {

  private static final List<TraceFormat> FORMATS =
      List.of(TraceFormat.OTEL, TraceFormat.OPENINFERENCE, TraceFormat.LANGFUSE);

  @TempDir
  private Path directory;

  static Stream<ForeignFiles.Expected> traces() {
    return FORMATS.stream().flatMap(format -> ForeignFiles.expected(format.id()).stream());
  }

  @ParameterizedTest
  @MethodSource("traces")
  void numbersAreThoseOfTheSpans(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    TraceChecks.requireAccounted(report);
    assertThat(report.faultCount()).isZero();
  }

  @Test
  void formatIsDetectedByStructure() throws IOException {
    for (TraceFormat format : FORMATS) {
      for (ForeignFiles.Expected trace : ForeignFiles.expected(format.id())) {
        assertThat(TraceImporter.detect(trace.path())).as(trace.file()).isEqualTo(format);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "OTEL, otel/file_exporter.jsonl",
    "OPENINFERENCE, openinference/phoenix.jsonl",
    "LANGFUSE, langfuse/observations_v2.jsonl"
  })
  void damagedLinesHaveClearOutcomes(TraceFormat format, String file) throws IOException {
    new Mutations(format, directory).requireClearOutcomesOfLines(ForeignFiles.path(file));
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({
    "OTEL, otel/events.json",
    "OTEL, otel/jaeger_adk.json",
    "LANGFUSE, langfuse/trace_api.json"
  })
  void damagedDocumentsHaveClearOutcomes(TraceFormat format, String file) throws IOException {
    new Mutations(format, directory).requireClearOutcomesOfDocument(ForeignFiles.path(file));
  }
}
