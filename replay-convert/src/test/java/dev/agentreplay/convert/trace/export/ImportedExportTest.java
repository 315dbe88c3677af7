package dev.agentreplay.convert.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.ExportOptions;
import dev.agentreplay.convert.trace.ImportOptions;
import dev.agentreplay.convert.trace.TraceExporter;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.convert.trace.report.ExportReport;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sessions that were imported from the traces of other tools are exported: with prompts that are
 * changes of earlier ones, sub-agents, and what was kept of the source.
 */
class ImportedExportTest {

  /** Those that are not part of the project are exported with {@code -Dreplay.effort=5}. */
  private static final boolean ALL = Integer.getInteger("replay.effort", 1) >= 5;

  @TempDir
  Path directory;

  /** The traces of the resources, and those next to the project. */
  static Stream<Path> traces() throws IOException {
    List<Path> traces = new ArrayList<>(files(TestSessions.bundled("traces")));
    Path shared = Path.of(System.getProperty("replay.shared", "")).resolve("foreign");
    if (ALL && Files.isDirectory(shared)) {
      traces.addAll(files(shared));
    }
    return traces.stream();
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .filter(
              file -> !file.getParent().endsWith("export") && !file.getParent().endsWith("schema"))
          .filter(file -> !file.toString().endsWith(".tsv") && !file.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("traces")
  void each_value_is_in_the_document_or_in_the_ledger(Path trace) throws IOException {
    ImportReport imported;
    try {
      imported = TraceImporter.of(ImportOptions.defaults())
          .importFile(trace, directory.resolve("session"));
    } catch (NothingRecognizedException notATrace) {
      return;
    }
    for (ImportedSession each : imported.sessions()) {
      Path path = each.name() == null ? imported.out() : imported.out().resolve(each.name());
      Session session = Session.open(path);
      for (TraceFormat to : TraceExporter.formats()) {
        Path out = directory.resolve(each.id().hashCode() + "-" + to.id() + ".json");
        ExportReport report = TraceExporter.of(ExportOptions.defaults()).export(session, out, to);
        JsonObject document = JsonText.parse(Files.readAllBytes(out)).asObject();

        assertThat(ExportAccount.missing(session, document, report.ledger()))
            .as(to.id())
            .isEmpty();
        assertThat(report.warnings()).isEmpty();
        assertThat(report.counts().modelCalls()).isEqualTo(each.counts().modelCalls());
        assertThat(report.counts().toolCalls()).isEqualTo(each.counts().toolCalls());
        assertThat(report.counts().toolResults()).isEqualTo(each.counts().toolResults());
        assertThat(report.counts().agents()).isEqualTo(each.counts().agents());
        requireValid(document, to);
      }
    }
  }

  private static void requireValid(JsonObject document, TraceFormat to) throws IOException {
    String schema =
        switch (to) {
          case ATIF -> "atif-1.7";
          case INSPECT -> "inspect-log-2";
          default -> "otlp-traces";
        };
    assertThat(ForeignSchemas.violations(schema, document)).as(schema).isEmpty();
    if (to == TraceFormat.ATIF) {
      assertThat(AtifRules.violations(document)).isEmpty();
    }
  }
}
