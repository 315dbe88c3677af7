package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Findings say, for programs, which call they are about, what is stated, and what there is. */
class FindingValuesTest {

  private static final TestLog LOG = TestLog.small();
  private static final String OTHER_HASH = "sha256:" + "0".repeat(64);

  @TempDir
  private Path directory;

  private Finding found(FindingCode code, TestLog log, JsonObject receipt) throws IOException {
    List<Finding> findings = log.verify(directory, receipt).findings().stream()
        .filter(finding -> finding.code() == code)
        .toList();
    assertThat(findings).as("%s", code).hasSize(1);
    return findings.get(0);
  }

  private static void assertSays(Finding finding, String id, Object expected, Object found) {
    assertThat(finding.id()).as("id of %s", finding).isEqualTo(id);
    assertThat(finding.expected())
        .as("expected of %s", finding)
        .isEqualTo(expected == null ? null : expected.toString());
    assertThat(finding.found())
        .as("found of %s", finding)
        .isEqualTo(found == null ? null : found.toString());
  }

  private static ContentHash hash(Object value) {
    return CanonicalJson.SERDE.hash(JsonValue.of(value));
  }

  private static JsonObject withEntry(JsonObject receipt, String name, Object value) {
    JsonObject entry = receipt.at("/tool_calls/0").asObject().with(name, JsonValue.of(value));
    return receipt.with("tool_calls", JsonArray.of(entry, receipt.at("/tool_calls/1")));
  }

  @Test
  void hash_next_to_a_value_is_expected_and_that_of_the_value_found() throws IOException {
    assertSays(
        found(
            FindingCode.PARAMS_HASH_MISMATCH,
            LOG.edit(TestLog.CALL_1, "\"path\":\"a\"", "\"path\":\"z\""),
            null),
        "c-1",
        hash(JsonObject.of("path", "a")),
        hash(JsonObject.of("path", "z")));
    assertSays(
        found(
            FindingCode.OUTPUT_HASH_MISMATCH,
            LOG.edit(TestLog.RESULT_2, "\"done\"", "\"no\""),
            null),
        "c-2",
        hash("done"),
        hash("no"));
    assertSays(
        found(
            FindingCode.PAYLOAD_HASH_MISMATCH,
            LOG.edit(TestLog.RUNTIME, "{\"n\":1}", "{\"n\":2}"),
            null),
        null,
        hash(JsonObject.of("n", 1)),
        hash(JsonObject.of("n", 2)));
  }

  @Test
  void hash_of_a_missing_value_is_expected() throws IOException {
    String output = "\"output\":\"text\",";
    assertSays(
        found(FindingCode.HASH_UNVERIFIABLE, LOG.edit(TestLog.RESULT_1, output, ""), null),
        "c-1",
        hash("text"),
        null);
  }

  @Test
  void receipt_is_expected_and_the_log_found() throws IOException {
    JsonObject receipt = LOG.sessionReceipt();
    assertSays(
        found(FindingCode.RECEIPT_TOOL_MISMATCH, LOG, withEntry(receipt, "tool", "x")),
        "c-1",
        "x",
        "read");
    assertSays(
        found(
            FindingCode.RECEIPT_PARAMS_MISMATCH,
            LOG,
            withEntry(receipt, "params_hash", OTHER_HASH)),
        "c-1",
        OTHER_HASH,
        hash(JsonObject.of("path", "a")));
    assertSays(
        found(
            FindingCode.RECEIPT_OUTPUT_MISMATCH,
            LOG,
            withEntry(LOG.trajectoryReceipt(), "output_hash", OTHER_HASH)),
        "c-1",
        OTHER_HASH,
        hash("text"));
    assertSays(
        found(FindingCode.RECEIPT_FIELD_MISMATCH, LOG, withEntry(receipt, "latency_ms", 11)),
        "c-1",
        11,
        10);
    assertSays(
        found(FindingCode.RECEIPT_FIELD_MISMATCH, LOG, receipt.with("session_id", "s-2")),
        null,
        "s-2",
        "s-1");
    assertSays(
        found(FindingCode.REPLAY_HASH_MISMATCH, LOG, receipt.with("replay_hash", OTHER_HASH)),
        null,
        OTHER_HASH,
        ContentHash.sha256(LOG.bytes()));
    JsonObject trajectory = LOG.trajectoryReceipt();
    assertSays(
        found(FindingCode.RECEIPT_DIGEST_MISMATCH, LOG, trajectory.with("note", 1)),
        null,
        trajectory.at("/canonical_json_sha256").asString(),
        TestLog.digested(trajectory.with("note", 1))
            .at("/canonical_json_sha256")
            .asString());
  }

  @Test
  void call_of_only_one_of_the_two_is_named() throws IOException {
    JsonObject receipt = withEntry(LOG.sessionReceipt(), "id", "c-9");
    assertSays(found(FindingCode.RECEIPT_CALL_MISSING, LOG, receipt), "c-9", "read", null);
    assertSays(found(FindingCode.RECEIPT_CALL_UNEXPECTED, LOG, receipt), "c-1", null, "read");
  }

  @Test
  void structure_names_the_call() throws IOException {
    TestLog twice = LOG.edit(TestLog.CALL_2, "\"c-2\"", "\"c-1\"");
    assertSays(found(FindingCode.DUPLICATE_CALL_ID, twice, null), "c-1", null, null);
    assertSays(found(FindingCode.RESULT_WITHOUT_CALL, twice, null), "c-2", null, null);
    assertSays(found(FindingCode.CALL_WITHOUT_RESULT, twice, null), "c-1", null, null);
  }

  @Test
  void total_that_is_stated_is_expected_and_that_of_the_events_found() throws IOException {
    TestLog log = LOG.edit(TestLog.END, "\"total_tool_calls\":2", "\"total_tool_calls\":5");
    assertSays(found(FindingCode.TOTALS_MISMATCH, log, null), null, 5, 2);
  }

  @Test
  void long_id_is_kept_in_bounded_length() throws IOException {
    String id = "x".repeat(100_000);
    TestLog log = LOG.edit(TestLog.CALL_1, "\"c-1\"", "\"" + id + "\"");
    assertThat(found(FindingCode.CALL_WITHOUT_RESULT, log, null).id())
        .hasSizeLessThan(300)
        .contains(ContentHash.sha256(id.getBytes(StandardCharsets.UTF_8)).hex());
  }

  @Test
  void member_of_a_receipt_other_than_a_hash_is_reported_with_the_expected_form()
      throws IOException {
    JsonObject receipt = withEntry(LOG.sessionReceipt(), "params_hash", "abc");
    assertSays(
        found(FindingCode.FIELD_INVALID, LOG, receipt),
        "c-1",
        "\"sha256:\" and 64 lower-case hexadecimal digits",
        "\"abc\"");
  }

  @Test
  void hash_of_another_producer_in_the_receipt_is_explained() throws IOException {
    JsonObject params = JsonObject.of("x", JsonText.parse("1.0"));
    JsonValue output = JsonText.parse("2.0");
    TestLog log = LOG.replace(TestLog.CALL_1, TestLog.call("c-1", "read", params, 3))
        .replace(TestLog.RESULT_1, TestLog.result("c-1", output, "0.5", 10, 4));
    JsonObject receipt = log.sessionReceipt();

    assertThat(found(
                FindingCode.RECEIPT_PARAMS_MISMATCH,
                log,
                withEntry(receipt, "params_hash", CanonicalJson.JCS.hash(params).toString()))
            .hint())
        .startsWith("the hash fits the canonicalization jcs");
    assertThat(found(
                FindingCode.RECEIPT_OUTPUT_MISMATCH,
                log,
                withEntry(receipt, "output_hash", CanonicalJson.JCS.hash(output).toString()))
            .hint())
        .startsWith("the hash fits the canonicalization jcs");
  }

  @Test
  void hash_that_was_altered_in_the_log_is_distinguished_from_one_that_was_altered_in_the_receipt()
      throws IOException {
    JsonObject receipt = LOG.sessionReceipt();
    TestLog log = LOG.edit(TestLog.RESULT_1, hash("text").toString(), OTHER_HASH);

    assertThat(found(FindingCode.RECEIPT_OUTPUT_MISMATCH, log, receipt).hint())
        .isEqualTo("the value in the log has the hash %s, but the log states a different one"
            .formatted(hash("text")));
    assertThat(found(
                FindingCode.RECEIPT_OUTPUT_MISMATCH,
                LOG,
                withEntry(receipt, "output_hash", OTHER_HASH))
            .hint())
        .isNull();
  }

  @Test
  void parameters_of_a_call_that_waits_long_are_not_kept_to_explain_a_hash() throws IOException {
    JsonObject params = JsonObject.of("x", JsonText.parse("1.0"));
    String jcs = CanonicalJson.JCS.hash(params).toString();
    for (int between : new int[] {15, 16}) {
      TestLog log = LOG.replace(TestLog.CALL_1, TestLog.call("c-1", "read", params, 3));
      for (int i = 0; i < between; i++) {
        log = log.insert(TestLog.RESULT_1, TestLog.call("m-" + i, "many", params, 3));
      }
      JsonObject receipt = withEntry(LOG.sessionReceipt(), "params_hash", jcs);
      Finding finding = found(FindingCode.RECEIPT_PARAMS_MISMATCH, log, receipt);
      assertThat(finding.hint() != null).as("%d calls between", between).isEqualTo(between < 16);
    }
  }
}
