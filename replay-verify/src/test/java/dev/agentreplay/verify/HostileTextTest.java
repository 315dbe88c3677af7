package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.verify.report.ReportJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports quote what logs hold: cut, but never so that the report breaks. */
class HostileTextTest {

  private static final String HEADER =
      "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\","
          + "\"producer\":\"p\",\"replay_version\":1}\n";

  @TempDir
  Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 40, 55, 56, 57, 58, 59, 60, 61, 62, 100_000})
  void long_text_in_findings_is_cut_between_characters(int length) throws IOException {
    String text = "x".repeat(length) + "\ud83d\ude00".repeat(40);
    Path log = directory.resolve("log.jsonl");
    Files.writeString(
        log,
        HEADER
            + "{\"event\":\"ToolResult\",\"id\":\"" + text + "\",\"latency_ms\":\"" + text + "\"}\n"
            + "{\"event\":\"" + text + "\"}\n"
            + "{\"event\":\"ToolCall\",\"id\":\"" + text + "\",\"tool\":\"" + text + "\"}\n"
            + "{\"" + text + "\":1,\"" + text + "\":2}\n");

    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(new Session(log, null));

    String json = ReportJson.render(report).toString();
    assertThat(JsonText.parse(json).asObject()).isEqualTo(ReportJson.render(report));
    assertThat(report.findings()).hasSizeGreaterThan(5);
    assertThat(report.findings()).extracting(Finding::message).allMatch(m -> m.length() < 400);
  }
}
