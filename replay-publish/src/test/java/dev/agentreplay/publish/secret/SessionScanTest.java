package dev.agentreplay.publish.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionScanTest {

  private static final SessionScan SCAN = SessionScan.of(SecretScanner.of(SecretRules.bundled()));
  private static final String TOKEN = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345";

  @TempDir
  Path directory;

  private ScanReport scan(Object params, String output) throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(
        directory, SessionStart.of("s"), RecorderOptions.defaults().withBlobThreshold(1000))) {
      recorder.call("tool", params).result(output);
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }
    return SCAN.scan(Session.open(directory));
  }

  @Test
  void session_without_secrets_is_clean() throws IOException {
    ScanReport report = scan(Map.of("path", "src/main"), "done");

    assertThat(report.isClean()).isTrue();
    assertThat(report.counts()).isEmpty();
    assertThat(report.lines()).isEqualTo(5);
    assertThat(report.toJson().toString())
        .startsWith("{\"schema\":\"replay.scan/1\",\"lines\":5,\"clean\":true");
  }

  @Test
  void secrets_are_found_in_values_names_and_encodings() throws IOException {
    String base64 = Base64.getEncoder().encodeToString(("x " + TOKEN).getBytes());
    JsonObject params = JsonObject.of(
        "value",
        "use " + TOKEN,
        "nested",
        List.of(JsonObject.of("a/b", "{\"k\":\"{\\\"k\\\":\\\"" + TOKEN + "\\\"}\"}")),
        "base64",
        base64,
        "percent",
        "q=%67hp_" + TOKEN.substring(4),
        "url",
        "https://me:tR0ub4d@host/",
        "command",
        "PGPASSWORD=tR0ub4d psql",
        "password",
        "tR0ub4dor3");

    List<SecretFinding> findings = scan(params.with(TOKEN, 1), "done").findings();

    assertThat(findings).allSatisfy(finding -> {
      assertThat(finding.file()).isEqualTo("REPLAY.jsonl");
      assertThat(finding.line()).isEqualTo(3);
    });
    assertThat(findings)
        .filteredOn(finding -> !finding.isName())
        .extracting(SecretFinding::pointer)
        .containsExactlyInAnyOrder(
            "/params/value",
            "/params/nested/0/a~1b",
            "/params/base64",
            "/params/percent",
            "/params/url",
            "/params/command",
            "/params/password");
    assertThat(findings)
        .filteredOn(SecretFinding::isName)
        .extracting(SecretFinding::pointer)
        .containsExactly("/params");
  }

  @Test
  void report_has_no_part_of_a_secret() throws IOException {
    ScanReport report = scan(JsonObject.of(TOKEN, JsonObject.of("x", TOKEN)), "password=tR0ub4dor");

    assertThat(report.findings()).isNotEmpty();
    assertThat(report.toJson().toString()).doesNotContain(TOKEN.substring(4, 14), "tR0ub4dor");
    assertThat(report.toJson().toString()).contains("/params/[REDACTED:github-pat]/x");
  }

  @Test
  void blobs_receipt_and_summary_are_scanned() throws IOException {
    scan(Map.of(), "x".repeat(3000) + " " + TOKEN);
    Files.writeString(directory.resolve(Session.SUMMARY_NAME), "# Summary\n\nuse " + TOKEN + "\n");
    Files.writeString(directory.resolve(Session.RECEIPT_NAME), "{\"note\":\"" + TOKEN + "\"}\n");
    Files.writeString(directory.resolve(Session.ACCEPTED_NAME), "{\"by\":\"" + TOKEN + "\"}\n");

    ScanReport report = SCAN.scan(Session.open(directory));

    assertThat(report.findings())
        .extracting(SecretFinding::file)
        .contains(Session.RECEIPT_NAME, Session.SUMMARY_NAME, Session.ACCEPTED_NAME)
        .anyMatch(file -> file.startsWith("blobs/"));
    assertThat(report.findings())
        .filteredOn(finding -> finding.file().equals(Session.SUMMARY_NAME))
        .extracting(SecretFinding::line)
        .containsExactly(3L);
  }

  @Test
  void accepted_divergences_next_to_a_log_of_its_own_name_are_scanned() throws IOException {
    scan(Map.of(), "done");
    Path log = Files.copy(directory.resolve(Session.LOG_NAME), directory.resolve("monday.jsonl"));
    Files.writeString(
        directory.resolve("monday.jsonl.accepted.json"), "{\"by\":\"" + TOKEN + "\"}\n");

    assertThat(SCAN.scan(Session.open(log)).findings())
        .extracting(SecretFinding::file)
        .containsExactly("monday.jsonl.accepted.json");
    assertThat(SCAN.scan(Session.open(directory)).isClean()).isTrue();
  }

  @Test
  void line_that_cannot_be_read_is_an_exception() throws IOException {
    scan(Map.of(), "done");
    Files.writeString(directory.resolve(Session.LOG_NAME), "not json\n", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> SCAN.scan(Session.open(directory)))
        .isInstanceOf(ReplayFormatException.class);
  }

  @Test
  void recorded_sessions_have_few_findings() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(TestSessions.corpus()));
    long lines = 0;
    long findings = 0;
    for (Path session : TestSessions.corpusSessions()) {
      ScanReport report = SCAN.scan(Session.open(session));
      lines += report.lines();
      findings += report.findings().size();
    }

    assertThat(lines).isGreaterThan(1000);
    assertThat(findings * 1000).isLessThan(lines);
  }
}
