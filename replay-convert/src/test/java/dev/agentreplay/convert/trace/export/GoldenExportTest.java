package dev.agentreplay.convert.trace.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.ExportOptions;
import dev.agentreplay.convert.trace.TraceExporter;
import dev.agentreplay.convert.trace.report.ExportCounts;
import dev.agentreplay.convert.trace.report.ExportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The documents of a session that has each case, as golden files. With
 * {@code -Dreplay.golden=write} they are written again.
 */
class GoldenExportTest {

  private static final Path RESOURCES = Path.of("src/test/resources/traces/export");

  @TempDir
  Path directory;

  private Session session;

  @BeforeEach
  void write() throws IOException {
    session = MadeSession.write(directory.resolve("session"));
  }

  static Stream<TraceFormat> formats() {
    return TraceExporter.formats().stream();
  }

  private ExportReport export(TraceFormat to) throws IOException {
    return TraceExporter.of(ExportOptions.defaults())
        .export(session, directory.resolve(to.id() + ".json"), to);
  }

  private JsonObject document(TraceFormat to) throws IOException {
    return JsonText.parse(Files.readAllBytes(export(to).out())).asObject();
  }

  @ParameterizedTest
  @MethodSource("formats")
  void document_and_ledger_are_as_before(TraceFormat to) throws IOException {
    ExportReport report = export(to);
    JsonObject document = JsonText.parse(Files.readAllBytes(report.out())).asObject();
    compare(to.id() + ".json", JsonText.pretty(document));
    compare(to.id() + "-ledger.json", JsonText.pretty(report.ledger().toJson()));
  }

  private static void compare(String name, String found) throws IOException {
    if ("write".equals(System.getProperty("replay.golden"))) {
      Files.write(RESOURCES.resolve(name), found.getBytes(UTF_8));
    }
    assertThat(found).isEqualTo(Files.readString(RESOURCES.resolve(name)));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void each_value_is_in_the_document_or_in_the_ledger(TraceFormat to) throws IOException {
    ExportReport report = export(to);
    JsonValue document = JsonText.parse(Files.readAllBytes(report.out()));

    assertThat(ExportAccount.missing(session, document, report.ledger())).isEmpty();
    assertThat(ReportSchemas.faults(report.toJson())).isEmpty();
    ExportCounts counts = report.counts();
    assertThat(counts).isEqualTo(new ExportCounts(23, 3, 5, 4, 0, 1, counts.written()));
  }

  @Test
  void trajectory_follows_the_rules_of_atif() throws IOException {
    JsonObject trajectory = document(TraceFormat.ATIF);

    assertThat(ForeignSchemas.violations("atif-1.7", trajectory)).isEmpty();
    assertThat(AtifRules.violations(trajectory)).isEmpty();
  }

  @Test
  void log_follows_the_models_of_inspect() throws IOException {
    assertThat(ForeignSchemas.violations("inspect-log-2", document(TraceFormat.INSPECT)))
        .isEmpty();
  }

  @Test
  void spans_are_those_of_the_protocol_and_their_messages_follow_the_schemas() throws IOException {
    JsonObject spans = document(TraceFormat.OTEL);

    assertThat(ForeignSchemas.violations("otlp-traces", spans)).isEmpty();
    assertThat(ForeignSchemas.violations("otlp-traces", document(TraceFormat.OPENINFERENCE)))
        .isEmpty();
    for (String name : List.of("input-messages", "output-messages", "system-instructions")) {
      List<JsonValue> values =
          attributes(spans, "gen_ai." + name.replaceFirst("-", name.startsWith("s") ? "_" : "."));
      assertThat(values).isNotEmpty();
      for (JsonValue value : values) {
        assertThat(ForeignSchemas.violations(
                "gen-ai-" + name, JsonText.parse(value.at("/stringValue").asString())))
            .isEmpty();
      }
    }
  }

  /** The values of the attributes with a name, of all spans. */
  private static List<JsonValue> attributes(JsonObject document, String key) {
    List<JsonValue> values = new ArrayList<>();
    for (JsonValue span : document.at("/resourceSpans/0/scopeSpans/0/spans").asArray()) {
      for (JsonValue attribute : span.at("/attributes").asArray()) {
        if (attribute.at("/key").asString().equals(key)) {
          values.add(attribute.at("/value"));
        }
      }
    }
    return values;
  }
}
