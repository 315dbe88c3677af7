package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of MCP messages are imported whole. */
class McpImportTest {

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> logs() {
    return ForeignFiles.expected("mcp");
  }

  @ParameterizedTest
  @MethodSource("logs")
  void numbersAreThoseOfTheLog(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    assertThat(report.faultCount()).isZero();
    if (!expected.file().endsWith(".log")) { // lines of text are kept in parts
      TraceChecks.requireAccounted(report);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"made_bare.jsonl", "made_envelopes.jsonl", "made_texts.jsonl"})
  void damagedLogsHaveClearOutcomes(String name) throws IOException {
    new Mutations(TraceFormat.MCP, directory)
        .requireClearOutcomesOfLines(ForeignFiles.path("mcp/" + name));
  }

  @Test
  void damagedDocumentsHaveClearOutcomes() throws IOException {
    new Mutations(TraceFormat.MCP, directory)
        .requireClearOutcomesOfDocument(ForeignFiles.path("mcp/made_document.json"));
  }

  @Test
  void formatIsDetectedByStructure() throws IOException {
    for (ForeignFiles.Expected log : logs()) {
      assertThat(TraceImporter.detect(log.path())).isEqualTo(TraceFormat.MCP);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"processId\":1}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"textDocument/hover\",\"params\":{}}",
        "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"tools/call\"}}",
        "Message from client: {\"jsonrpc\":\"2.0\",\"method\":\"shutdown\"}",
        "{\"method\":\"POST\",\"body\":\"{\\\"id\\\":1}\"}",
      })
  void otherLogsAreNotRecognized(String line) throws IOException {
    Path log = Files.writeString(directory.resolve("log"), line + "\n");

    assertThat(TraceImporter.detect(log)).isNotEqualTo(TraceFormat.MCP);
  }
}
