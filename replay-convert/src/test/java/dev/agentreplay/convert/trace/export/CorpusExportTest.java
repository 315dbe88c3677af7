package dev.agentreplay.convert.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.ExportOptions;
import dev.agentreplay.convert.trace.TraceExporter;
import dev.agentreplay.convert.trace.report.ExportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.ReportSchemas;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each recorded session can be exported to each format, with an account of all its values. */
class CorpusExportTest {

  @TempDir
  Path directory;

  static Stream<TraceFormat> formats() {
    return TraceExporter.formats().stream();
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("formats")
  void each_value_of_each_session_is_in_the_document_or_in_the_ledger(TraceFormat to)
      throws IOException {
    int number = 0;
    for (Path path : TestSessions.corpusSessions()) {
      Session session = Session.open(path);
      Path out = directory.resolve(++number + ".json");
      ExportReport report = TraceExporter.of(ExportOptions.defaults()).export(session, out, to);
      byte[] bytes = Files.readAllBytes(out);
      JsonObject document = JsonText.parse(bytes).asObject();

      assertThat(report.sourceIsInvalid()).isFalse();
      assertThat(report.counts().events()).isEqualTo(lines(session));
      assertThat(report.counts().orphanResults()).isZero();
      assertThat(ReportSchemas.faults(report.toJson())).isEmpty();
      assertThat(ExportAccount.missing(session, document, report.ledger()))
          .as("%s", path)
          .isEmpty();
      TraceExporter.of(ExportOptions.defaults().withOverwrite(true)).export(session, out, to);
      assertThat(Files.readAllBytes(out)).isEqualTo(bytes);
    }
  }

  private static long lines(Session session) throws IOException {
    try (Stream<String> lines = Files.lines(session.log())) {
      return lines.count();
    }
  }
}
