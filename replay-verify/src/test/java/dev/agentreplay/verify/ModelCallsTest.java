package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of models are accounted for like those of tools. */
class ModelCallsTest {

  @TempDir
  private Path directory;

  private VerificationReport verify(String... lines) throws IOException {
    TestLog log = TestLog.small();
    for (String line : lines) {
      log = log.insert(log.size(), line);
    }
    return log.verify(directory, null);
  }

  private static String call(String id) {
    return line("ModelCall", id, "prompt");
  }

  private static String result(String id) {
    return line("ModelResult", id, "answer");
  }

  private static String line(String event, String id, String member) {
    JsonObject value = JsonObject.of("text", "Hello");
    return CanonicalJson.SERDE.text(JsonObject.of("event", event, "id", id, member, value)
        .with(member + "_hash", CanonicalJson.SERDE.hash(value).toString())
        .with("t", "2026-01-13T10:00:09Z"));
  }

  private static List<String> findings(VerificationReport report) {
    return report.findings().stream()
        .map(finding -> finding.code() + " " + line(finding) + " " + finding.id())
        .toList();
  }

  private static Long line(Finding finding) {
    return finding.position() == null ? null : finding.position().line();
  }

  @Test
  void answered_call_is_counted_and_nothing_is_found() throws IOException {
    VerificationReport report = verify(call("m"), result("m"), call("c-1"), result("c-1"));
    assertThat(findings(report)).isEmpty();
    assertCounts(report, 2, 2, 2, 0);
    assertThat(report.count(Counter.PAYLOAD_HASHES_VERIFIED)).isEqualTo(5);
  }

  @Test
  void result_that_was_never_asked_for_is_an_error() throws IOException {
    VerificationReport report = verify(result("m"), call("n"), result("n"), result("n"));
    assertThat(findings(report))
        .containsExactly("MODEL_RESULT_WITHOUT_CALL 10 m", "MODEL_RESULT_WITHOUT_CALL 13 n");
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertCounts(report, 1, 3, 1, 0);
  }

  @Test
  void result_of_a_model_does_not_answer_a_call_of_a_tool() throws IOException {
    VerificationReport report = verify(TestLog.call("x", "read", JsonObject.EMPTY, 9), result("x"));
    assertThat(report.findingCounts())
        .containsEntry(FindingCode.MODEL_RESULT_WITHOUT_CALL, 1L)
        .containsEntry(FindingCode.CALL_WITHOUT_RESULT, 1L);
    assertThat(report.count(Counter.UNANSWERED_CALLS)).isEqualTo(1);
  }

  @Test
  void call_that_is_never_answered_is_a_warning() throws IOException {
    VerificationReport report = verify(call("m"), call("n"), result("n"));
    assertThat(findings(report)).containsExactly("MODEL_CALL_WITHOUT_RESULT 10 m");
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertCounts(report, 2, 1, 1, 1);
  }

  @Test
  void two_calls_with_one_id_are_a_warning() throws IOException {
    VerificationReport report = verify(call("m"), call("m"), result("m"));
    assertThat(findings(report))
        .containsExactly("DUPLICATE_CALL_ID 11 m", "MODEL_CALL_WITHOUT_RESULT 11 m");
    assertCounts(report, 2, 1, 1, 1);
  }

  @Test
  void behind_a_line_that_cannot_be_read_no_call_is_missed() throws IOException {
    VerificationReport report = verify(call("m"), "junk", result("n"));
    assertThat(report.findingCounts()).containsOnlyKeys(FindingCode.MALFORMED_LINE);
    assertCounts(report, 1, 1, 0, 0);
  }

  private static void assertCounts(
      VerificationReport report, long calls, long results, long answered, long unanswered) {
    assertThat(report.count(Counter.MODEL_CALLS)).isEqualTo(calls);
    assertThat(report.count(Counter.MODEL_RESULTS)).isEqualTo(results);
    assertThat(report.count(Counter.ANSWERED_MODEL_CALLS)).isEqualTo(answered);
    assertThat(report.count(Counter.UNANSWERED_MODEL_CALLS)).isEqualTo(unanswered);
  }
}
