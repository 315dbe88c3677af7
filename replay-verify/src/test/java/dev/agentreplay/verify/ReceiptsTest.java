package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receipts that do not fit their log, or are none. */
class ReceiptsTest {

  private static final TestLog LOG = TestLog.small();
  private static final String OTHER_HASH = "sha256:" + "0".repeat(64);

  @TempDir
  private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "[{\"session_id\":\"s-1\"}]",
        "null",
        "\"receipt\"",
        "{}",
        "{\"schema\":\"openagents.receipt.v2\",\"session_id\":\"s-1\"}",
        "{\"schema\":1,\"session_id\":\"s-1\"}",
        "{\"session_id\":\"s-1\",\"session_id\":\"s-1\"}",
        "{\"session_id\":\"s-1\"} {}"
      })
  void file_other_than_a_receipt_is_unreadable(String text) throws IOException {
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(LOG.write(directory, text));

    assertThat(report.verdict()).isEqualTo(Verdict.UNREADABLE);
    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_UNREADABLE);
    assertThat(report.count(Counter.PARAMS_HASHES_VERIFIED))
        .as("the log is checked all the same")
        .isEqualTo(2);
  }

  @Test
  void file_that_is_too_large_is_a_finding_and_not_a_failure() throws IOException {
    Session session = LOG.write(directory, "{}");
    try (RandomAccessFile file = new RandomAccessFile(session.receipt().toFile(), "rw")) {
      file.setLength(JsonLimits.defaults().maxBytes() + 1L);
    }
    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()).verify(session);
    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_UNREADABLE);
    assertThat(report.findings().get(0).message()).contains("RECEIPT.json: has more than");

    Session enveloped = session.withReceipt(null).withEnvelope(session.receipt());
    assertThat(codes(SessionVerifier.of(VerifyPolicy.defaults()).verify(enveloped)))
        .containsExactly(FindingCode.SIGNATURE_INVALID);
  }

  @Test
  void receipt_that_nothing_fits_to_does_not_meet_the_requirement() throws IOException {
    TestLog log = LOG;
    for (int line = TestLog.RUNTIME; line >= TestLog.PLAN; line--) {
      log = log.remove(line);
    }
    int end = log.size();
    log = log.edit(end, "\"total_tool_calls\":2", "\"total_tool_calls\":0")
        .edit(end, "\"total_latency_ms\":15", "\"total_latency_ms\":0");
    JsonObject receipt = LOG.sessionReceipt()
        .with("tool_calls", JsonArray.EMPTY)
        .with("plan_hash", JsonNull.NULL)
        .without("verification");
    VerifyPolicy policy = VerifyPolicy.defaults().requiring(Requirement.RECEIPT);
    assertThat(log.verify(directory, receipt, policy).unmet()).containsExactly(Requirement.RECEIPT);
    JsonObject stating = receipt.with("tree_size", 3).with("tree_root", root(log.tree(3)));
    assertThat(log.verify(directory, stating, policy).unmet()).isEmpty();
    assertThat(LOG.verify(directory, LOG.sessionReceipt(), policy).unmet()).isEmpty();
  }

  private static String root(TreeHead tree) {
    return tree.root().toString();
  }

  @Test
  void call_whose_value_contradicts_its_hash_matches_no_entry_without_id_either()
      throws IOException {
    TestLog altered = LOG.edit(TestLog.RESULT_2, "\"done\"", "\"gone\"");
    VerificationReport report = altered.verify(directory, altered.trajectoryReceipt());
    assertThat(codes(report)).containsExactly(FindingCode.OUTPUT_HASH_MISMATCH);
    assertThat(report.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(1);
    assertThat(report.count(Counter.RECEIPT_CALLS_MISMATCHED)).isEqualTo(1);
  }

  @Test
  void tests_that_no_verification_counted_are_found() throws IOException {
    Session session = LOG.remove(TestLog.VERIFICATION).write(directory, null);
    JsonObject receipt = ReceiptCodec.encode(Receipts.compute(session, Receipt.Form.DRAFT));
    JsonObject verification = receipt.get("verification").asObject();
    JsonObject invented =
        receipt.with("verification", verification.with("tests_after", JsonValue.of(500)));
    VerificationReport report = LOG.remove(TestLog.VERIFICATION).verify(directory, invented);
    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
    assertThat(report.findings().get(0).message()).contains("tests_after is 0 in the log");
  }

  @ParameterizedTest
  @CsvSource({
    "[], 'expected an object, found array'",
    "'{\"schema\":\"openagents.receipt.v2\"}',"
        + " 'schema must be \"openagents.receipt.v1\", found \"openagents.receipt.v2\"'"
  })
  void file_other_than_a_receipt_is_reported_with_the_reason(String text, String reason)
      throws IOException {
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(LOG.write(directory, text));

    assertThat(report.findings().get(0).message())
        .endsWith("RECEIPT.json: not a receipt of a known form: " + reason);
  }

  @Test
  void every_event_that_names_the_session_must_name_that_of_the_receipt() throws IOException {
    String other = LOG.line(TestLog.PLAN - 1).replace("\"s-1\"", "\"s-2\"");
    TestLog spliced = LOG.insert(TestLog.PLAN - 1, other);
    VerificationReport report = spliced.verify(directory, LOG.sessionReceipt());

    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
    assertThat(report.findings().get(0).position().line()).isEqualTo(TestLog.PLAN - 1);
  }

  @Test
  void plan_that_was_generated_again_is_that_of_the_receipt() throws IOException {
    String first = LOG.line(TestLog.PLAN).replace(TestLog.PLAN_HASH, OTHER_HASH);
    TestLog replanned = LOG.insert(TestLog.PLAN, first);

    assertThat(replanned.verify(directory, LOG.sessionReceipt()).findings()).isEmpty();
    assertThat(
            codes(replanned.verify(directory, LOG.sessionReceipt().with("plan_hash", OTHER_HASH))))
        .containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void what_a_command_lacks_in_one_of_the_two_is_not_compared() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt();
    JsonObject run = receipt.at("/verification/0").asObject();
    JsonObject more = run.with("cwd", "src").with("verification_delta", 1);
    assertThat(LOG.verify(directory, TestLog.digested(receipt.with("verification", List.of(more))))
            .findings())
        .isEmpty();

    JsonObject other = run.with("verification_delta", 2);
    assertThat(codes(
            LOG.verify(directory, TestLog.digested(receipt.with("verification", List.of(other))))))
        .containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
    JsonObject unnamed = run.without("command");
    assertThat(codes(LOG.verify(
            directory, TestLog.digested(receipt.with("verification", List.of(unnamed))))))
        .containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void costs_of_a_draft_are_compared_where_the_log_knows_them() throws IOException {
    JsonObject draft =
        ReceiptCodec.encode(Receipts.compute(LOG.write(directory, null), Receipt.Form.DRAFT));
    JsonObject costly = draft.with("costs", JsonObject.of("total_tokens", 7, "total_sats", 1.5));
    assertThat(LOG.verify(directory, draft).findings()).isEmpty();
    assertThat(LOG.verify(directory, costly).findings())
        .as("the log says nothing")
        .isEmpty();
  }

  @Test
  void fitting_receipts_are_counted_call_by_call() throws IOException {
    JsonObject withHash =
        LOG.sessionReceipt().with("replay_hash", ContentHash.sha256(LOG.bytes()).toString());
    VerificationReport report = LOG.verify(directory, withHash);
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.RECEIPT_CALLS)).isEqualTo(2);
    assertThat(report.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(2);
    assertThat(report.count(Counter.LOG_DIGESTS_VERIFIED)).isEqualTo(1);

    report = LOG.verify(directory, LOG.trajectoryReceipt());
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(2);
    assertThat(report.count(Counter.EVENT_DIGESTS_VERIFIED)).isEqualTo(1);
    assertThat(report.count(Counter.RECEIPT_DIGESTS_VERIFIED)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "session_id, '\"s-2\"', 2",
    "issue_number, 8, 2",
    "policy_bundle_id, '\"v2\"', 2",
    "plan_hash, '\"sha256:0000000000000000000000000000000000000000000000000000000000000000\"', 3",
    "final_confidence, 0.8, 10",
    "verification, '{\"commands_run\":[\"make\"],\"exit_codes\":[1],\"verification_delta\":1}', 8",
    "verification, '{\"commands_run\":[\"make\"],\"exit_codes\":[0],\"verification_delta\":2}', 8",
    "verification, '{\"commands_run\":[],\"exit_codes\":[],\"verification_delta\":1}', 8"
  })
  void field_that_differs_is_named(String field, String value, int line) throws IOException {
    JsonObject receipt = LOG.sessionReceipt().with(field, JsonText.parse(value));
    VerificationReport report = LOG.verify(directory, receipt);

    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
    Finding finding = report.findings().get(0);
    String named =
        switch (field) {
          case "policy_bundle_id" -> "policy";
          case "final_confidence" -> "confidence";
          default -> field;
        };
    assertThat(finding.message()).startsWith("session: " + named).contains("but");
    assertThat(finding.position() == null ? 0 : finding.position().line()).isEqualTo(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "issue_number",
        "started_at",
        "completed_at",
        "plan_hash",
        "final_confidence",
        "policy_bundle_id",
        "signature"
      })
  void field_that_may_be_null_is_missed_when_it_is_absent_and_not_compared_when_null(String field)
      throws IOException {
    VerificationReport absent = LOG.verify(directory, LOG.sessionReceipt().without(field));
    VerificationReport isNull = LOG.verify(directory, LOG.sessionReceipt().with(field, null));

    assertThat(absent.findings()).as("absent").isEmpty();
    assertThat(isNull.findings()).as("null").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "tool", "params_hash", "output_hash", "step_utility", "latency_ms"})
  void missing_field_of_an_entry_is_reported(String field) throws IOException {
    JsonObject receipt = LOG.sessionReceipt();
    JsonObject entry = receipt.at("/tool_calls/0").asObject().without(field);
    VerificationReport report =
        LOG.verify(directory, calls(receipt, entry, receipt.at("/tool_calls/1")));

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(codes(report)).contains(FindingCode.FIELD_MISSING);
    if (field.equals("step_utility") || field.equals("latency_ms")) {
      assertThat(report.findings()).as("what is absent does not differ").hasSize(1);
    }
    assertThat(report.findings()).anySatisfy(finding -> assertThat(finding.message())
        .startsWith("receipt: tool_calls[0]: " + field));
  }

  @ParameterizedTest
  @CsvSource({
    "step_utility, 0.4, RECEIPT_FIELD_MISMATCH",
    "latency_ms, 11, RECEIPT_FIELD_MISMATCH",
    "params_hash, sha256:0, FIELD_INVALID",
    "id, c-9, RECEIPT_CALL_UNEXPECTED"
  })
  void field_of_an_entry_that_differs_is_found(String field, String value, FindingCode code)
      throws IOException {
    JsonObject receipt = LOG.sessionReceipt();
    JsonValue json = JsonText.parseOrString(value);
    JsonObject entry = receipt.at("/tool_calls/0").asObject().with(field, json);
    VerificationReport report =
        LOG.verify(directory, calls(receipt, entry, receipt.at("/tool_calls/1")));

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(codes(report)).contains(code);
    assertThat(report.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(1);
  }

  @Test
  void utilities_and_confidence_are_compared_as_32_bit_floats() throws IOException {
    TestLog widened = LOG.edit(TestLog.RESULT_1, "0.5", "0.20000000298023224")
        .edit(TestLog.END, "0.9", "0.8999999761581421");
    JsonObject receipt = widened.sessionReceipt().with("final_confidence", 0.9);
    JsonObject entry = receipt.at("/tool_calls/0").asObject().with("step_utility", 0.2);
    JsonObject fits = calls(receipt, entry, receipt.at("/tool_calls/1"));
    assertThat(widened.verify(directory, fits).findings()).isEmpty();

    JsonObject off = entry.with("step_utility", 0.2000001);
    assertThat(codes(widened.verify(directory, calls(receipt, off, receipt.at("/tool_calls/1")))))
        .containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void side_effects_that_differ_are_found() throws IOException {
    TestLog log = LOG.edit(
        TestLog.RESULT_1,
        "\"step_utility\"",
        "\"side_effects\":[{\"path\":\"a\",\"type\":\"file_write\"}],\"step_utility\"");
    VerificationReport report = log.verify(directory, log.sessionReceipt());

    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
    assertThat(report.findings().get(0).message())
        .contains("side_effects is [{\"path\":\"a\",\"type\":\"file_write\"}] in the log");
  }

  @Test
  void reordered_entries_are_found() throws IOException {
    JsonObject receipt = LOG.sessionReceipt();
    VerificationReport report = LOG.verify(
        directory, calls(receipt, receipt.at("/tool_calls/1"), receipt.at("/tool_calls/0")));

    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
    assertThat(report.findings().get(0).message()).contains("order of calls");
    assertThat(report.findings().get(0).position().line()).isEqualTo(TestLog.RESULT_2);
  }

  @Test
  void entries_of_one_id_match_in_turn() throws IOException {
    TestLog log =
        LOG.edit(TestLog.CALL_2, "\"c-2\"", "\"c-1\"").edit(TestLog.RESULT_2, "\"c-2\"", "\"c-1\"");
    JsonObject receipt = log.sessionReceipt();
    assertThat(codes(log.verify(directory, receipt)))
        .containsExactly(FindingCode.DUPLICATE_CALL_ID);

    VerificationReport swapped = log.verify(
        directory, calls(receipt, receipt.at("/tool_calls/1"), receipt.at("/tool_calls/0")));
    assertThat(swapped.count(Counter.RECEIPT_CALLS_MISMATCHED)).isEqualTo(2);
    assertThat(codes(swapped))
        .contains(
            FindingCode.RECEIPT_TOOL_MISMATCH,
            FindingCode.RECEIPT_PARAMS_MISMATCH,
            FindingCode.RECEIPT_OUTPUT_MISMATCH);
  }

  @Test
  void receipt_of_another_session_matches_nothing() throws IOException {
    JsonObject receipt = LOG.sessionReceipt().with("session_id", "s-2");
    JsonObject other = receipt.at("/tool_calls/0").asObject().with("id", "x");
    VerificationReport report = LOG.verify(directory, calls(receipt, other));

    assertThat(codes(report))
        .containsExactlyInAnyOrder(
            FindingCode.RECEIPT_FIELD_MISMATCH,
            FindingCode.RECEIPT_CALL_UNEXPECTED,
            FindingCode.RECEIPT_CALL_UNEXPECTED,
            FindingCode.RECEIPT_CALL_MISSING);
    assertThat(report.count(Counter.RECEIPT_CALLS_MISSING)).isEqualTo(1);
    assertThat(report.count(Counter.RECEIPT_CALLS_UNEXPECTED)).isEqualTo(2);
  }

  @Test
  void missing_entries_are_listed_in_the_order_of_the_receipt() throws IOException {
    JsonObject receipt = LOG.sessionReceipt();
    JsonObject entry = receipt.at("/tool_calls/0").asObject();
    List<JsonValue> entries = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      int id = (i * 7919) % 31 / 2; // two entries each, and some without one
      entries.add(id % 5 == 0 ? entry.without("id") : entry.with("id", "id-" + id));
    }
    VerificationReport report =
        LOG.verify(directory, receipt.with("tool_calls", JsonArray.copyOf(entries)));

    assertThat(report.findings())
        .filteredOn(finding -> finding.code() == FindingCode.RECEIPT_CALL_MISSING)
        .extracting(finding -> finding.message().replaceAll("entry (\\d+) .*", "$1"))
        .isEqualTo(IntStream.range(0, 30).mapToObj(Integer::toString).toList());
  }

  @Test
  void trajectory_entries_match_in_order_when_there_are_as_many() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt();
    VerificationReport report = LOG.verify(
        directory,
        TestLog.digested(calls(receipt, receipt.at("/tool_calls/1"), receipt.at("/tool_calls/0"))));

    assertThat(report.count(Counter.RECEIPT_CALLS_MISMATCHED)).isEqualTo(2);
    assertThat(codes(report))
        .containsOnly(
            FindingCode.RECEIPT_TOOL_MISMATCH,
            FindingCode.RECEIPT_PARAMS_MISMATCH,
            FindingCode.RECEIPT_OUTPUT_MISMATCH,
            FindingCode.RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void trajectory_entries_are_aligned_when_there_are_more_or_fewer() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt();
    JsonObject dropped = calls(receipt, receipt.at("/tool_calls/1"));
    VerificationReport fewer = LOG.verify(directory, TestLog.digested(dropped));
    assertThat(codes(fewer)).containsExactly(FindingCode.RECEIPT_CALL_UNEXPECTED);
    assertThat(fewer.findings().get(0).position().line()).isEqualTo(TestLog.RESULT_1);
    assertThat(fewer.findings().get(0).position().offset()).isEqualTo(LOG.offset(TestLog.RESULT_1));
    assertThat(fewer.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(1);

    JsonObject extra = receipt.at("/tool_calls/0").asObject().with("tool", "delete");
    JsonObject added =
        calls(receipt, receipt.at("/tool_calls/0"), extra, receipt.at("/tool_calls/1"));
    VerificationReport more = LOG.verify(directory, TestLog.digested(added));
    assertThat(codes(more)).containsExactly(FindingCode.RECEIPT_CALL_MISSING);
    assertThat(more.findings().get(0).message()).contains("entry 1").contains("delete");
    assertThat(more.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tool", "params_hash", "output_hash"})
  void entry_that_differs_in_one_thing_is_not_aligned_with_a_call(String field) throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt();
    JsonObject first = receipt.at("/tool_calls/0").asObject();
    JsonObject changed =
        calls(receipt, first.with(field, OTHER_HASH), first, receipt.at("/tool_calls/1"));
    VerificationReport report = LOG.verify(directory, TestLog.digested(changed));

    assertThat(report.findings())
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .startsWith("entry 0 of the receipt");
  }

  @Test
  void one_call_that_is_not_among_many_entries_is_found_at_its_result() throws IOException {
    TestLog log = LOG;
    List<JsonValue> entries = new ArrayList<>();
    entries.add(LOG.trajectoryReceipt().at("/tool_calls/0"));
    entries.add(LOG.trajectoryReceipt().at("/tool_calls/1"));
    for (int i = 0; i < 100; i++) {
      JsonObject params = JsonObject.of("i", i);
      JsonValue output = JsonValue.of("out " + i);
      log = log.insert(TestLog.VERIFICATION + 2 * i, TestLog.call("m-" + i, "many", params, 6))
          .insert(TestLog.VERIFICATION + 2 * i + 1, TestLog.result("m-" + i, output, "0.0", 0, 6));
      if (i != 77) {
        entries.add(JsonObject.of(
            "tool",
            "many",
            "params_hash",
            CanonicalJson.SERDE.hash(params).toString(),
            "output_hash",
            CanonicalJson.SERDE.hash(output).toString(),
            "latency_ms",
            0,
            "side_effects",
            JsonArray.EMPTY));
      }
    }
    int end = log.size();
    log = log.edit(end, "\"total_tool_calls\":2", "\"total_tool_calls\":102");
    JsonObject receipt =
        log.trajectoryReceipt().with("tool_calls", JsonArray.copyOf(entries)).without("metrics");
    VerificationReport report = log.verify(directory, TestLog.digested(receipt));

    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_CALL_UNEXPECTED);
    assertThat(report.findings().get(0).position().line())
        .isEqualTo(TestLog.VERIFICATION + 2 * 77 + 1);
    assertThat(report.findings().get(0).position().offset())
        .isEqualTo(log.offset(TestLog.VERIFICATION + 2 * 77 + 1));
  }

  @Test
  void digest_covers_members_that_are_not_known_but_not_the_signature() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt();
    assertThat(codes(LOG.verify(directory, receipt.with("signature", "x"))))
        .containsExactly(FindingCode.SIGNATURE_UNVERIFIABLE);
    assertThat(codes(LOG.verify(directory, receipt.with("note", "x"))))
        .containsExactly(FindingCode.RECEIPT_DIGEST_MISMATCH);
    assertThat(
            LOG.verify(directory, TestLog.digested(receipt.with("note", "x"))).findings())
        .isEmpty();
  }

  @Test
  void trajectory_hash_over_as_many_events_must_fit() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt().with("trajectory_hash", OTHER_HASH);
    VerificationReport report = LOG.verify(directory, TestLog.digested(receipt));
    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
    assertThat(report.findings().get(0).message()).contains("trajectory_hash");

    report = LOG.verify(directory, TestLog.digested(receipt.without("event_count")));
    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void trajectory_hash_over_more_events_cannot_be_verified() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt()
        .with("trajectory_hash", OTHER_HASH)
        .with("event_count", 12)
        .with("last_seq", 12);
    VerificationReport report = LOG.verify(directory, TestLog.digested(receipt));

    assertThat(codes(report)).containsExactly(FindingCode.HASH_UNVERIFIABLE);
    assertThat(report.findings().get(0).message()).contains("12 events").contains("has 9");
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void event_that_was_added_to_the_log_is_not_excused() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt()
        .with("trajectory_hash", OTHER_HASH)
        .with("event_count", 8)
        .with("last_seq", 8);
    VerificationReport report = LOG.verify(directory, TestLog.digested(receipt));

    assertThat(codes(report)).containsOnly(FindingCode.RECEIPT_FIELD_MISMATCH);
    assertThat(report.findings())
        .extracting(Finding::message)
        .anyMatch(message -> message.contains("event_count"))
        .anyMatch(message -> message.contains("trajectory_hash"));
  }

  @ParameterizedTest
  @CsvSource({
    "metrics, '{\"tool_calls\":9,\"tool_latency_ms_total\":null,\"verification_passed\":null,"
        + "\"payments_msats_total\":null}', metrics.tool_calls",
    "metrics, '{\"tool_calls\":2,\"tool_latency_ms_total\":1,\"verification_passed\":null,"
        + "\"payments_msats_total\":null}', tool_latency_ms_total",
    "metrics, '{\"tool_calls\":2,\"tool_latency_ms_total\":null,\"verification_passed\":false,"
        + "\"payments_msats_total\":null}', verification_passed",
    "metrics, '{\"tool_calls\":2,\"tool_latency_ms_total\":null,\"verification_passed\":null,"
        + "\"payments_msats_total\":5}', payments_msats_total",
    "verification, '[{\"command\":\"make\",\"exit_code\":1}]', verification",
    "verification, '[]', verification",
    "first_seq, 2, first_seq"
  })
  void field_of_a_trajectory_receipt_that_differs_is_named(String field, String value, String named)
      throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt()
        .with("event_count", 9)
        .with("first_seq", 1)
        .with("last_seq", 9)
        .with(field, JsonText.parse(value));
    VerificationReport report = LOG.verify(directory, TestLog.digested(receipt));

    assertThat(codes(report)).containsExactly(FindingCode.RECEIPT_FIELD_MISMATCH);
    assertThat(report.findings().get(0).message()).contains(named);
  }

  @Test
  void trajectory_receipt_that_lists_no_calls_says_nothing_about_them() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt().without("tool_calls", "verification", "payments");
    VerificationReport report = LOG.verify(directory, TestLog.digested(receipt));

    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.RECEIPT_CALLS)).isZero();
    assertThat(report.count(Counter.EVENT_DIGESTS_VERIFIED)).isEqualTo(1);
  }

  @Test
  void what_only_the_receipt_says_of_the_session_is_a_difference() throws IOException {
    JsonObject receipt = LOG.sessionReceipt();
    VerificationReport report = LOG.remove(TestLog.PLAN - 1).verify(directory, receipt);

    assertThat(codes(report))
        .containsOnly(FindingCode.SESSION_START_MISSING, FindingCode.RECEIPT_FIELD_MISMATCH);
    assertThat(report.findings())
        .extracting(Finding::message)
        .anyMatch(message -> message.contains("session_id is absent in the log"));
  }

  @Test
  void trajectory_hash_of_a_log_that_is_not_canonical_is_that_of_its_values() throws IOException {
    JsonObject receipt = LOG.trajectoryReceipt();
    TestLog spaced = LOG.edit(TestLog.CALL_1, "\"event\":", "\"event\": ");
    assertThat(codes(spaced.verify(directory, receipt))).containsExactly(FindingCode.NOT_CANONICAL);
  }

  @Test
  void fields_that_a_trajectory_receipt_must_have_are_missed() throws IOException {
    for (String field : List.of("session_id", "trajectory_hash", "policy_bundle_id")) {
      JsonObject receipt = TestLog.digested(LOG.trajectoryReceipt().without(field));
      VerificationReport report = LOG.verify(directory, receipt);
      assertThat(codes(report)).as(field).containsExactly(FindingCode.FIELD_MISSING);
    }
  }

  @Test
  void hashes_that_the_log_does_not_state_are_computed() throws IOException {
    TestLog log = LOG;
    for (int number : new int[] {TestLog.CALL_1, TestLog.RESULT_1}) {
      JsonObject line = log.json(number).without("params_hash", "output_hash");
      log = log.replace(number, CanonicalJson.SERDE.text(line));
    }
    VerificationReport report = log.verify(directory, LOG.sessionReceipt());

    assertThat(codes(report)).containsExactly(FindingCode.FIELD_MISSING, FindingCode.FIELD_MISSING);
    assertThat(report.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(2);
  }

  private static List<FindingCode> codes(VerificationReport report) {
    return report.findings().stream().map(Finding::code).toList();
  }

  private static JsonObject calls(JsonObject receipt, JsonValue... entries) {
    return receipt.with("tool_calls", JsonArray.of((Object[]) entries));
  }
}
