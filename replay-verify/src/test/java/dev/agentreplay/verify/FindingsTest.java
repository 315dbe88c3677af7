package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For every code a log that is well but for one thing: that finding, at that line, and no other.
 */
class FindingsTest {

  /**
   * SignatureCheckTest, BlobVerificationTest, CarriedOverConflictTest, ExpectationTest and
   * LineEndingsTest have them.
   */
  private static final Set<FindingCode> ELSEWHERE = EnumSet.of(
      FindingCode.SESSION_REPEATED, // VerifyDirectoryTest of the command
      FindingCode.BEING_WRITTEN, // BeingWrittenTest
      FindingCode.SIGNATURE_INVALID,
      FindingCode.PUBLIC_ROOT_MISMATCH, // PublicTreeTest, PublishedLogTest
      FindingCode.DISCLOSURE_INVALID, // PublishedLogTest
      FindingCode.DISCLOSURE_MISSING, // PublishedLogTest
      FindingCode.BLOB_MISMATCH,
      FindingCode.CARRIED_OVER_CONFLICT,
      FindingCode.ENVELOPE_NOT_CANONICAL, // EnvelopeCheckTest
      FindingCode.LINE_ENDINGS_CONVERTED,
      FindingCode.EXPECTATION_UNMET,
      FindingCode.PARENT_MISMATCH, // ForkProofTest of replay-engine, which makes forks
      FindingCode.FORK_PREFIX_MISMATCH);

  private static final String OTHER_HASH = "sha256:" + "0".repeat(64);

  /** An alteration of the log, or of the receipt, and the line of the finding; 0 for none. */
  private record Case(
      FindingCode code,
      int line,
      UnaryOperator<TestLog> log,
      boolean trajectory,
      UnaryOperator<JsonObject> receipt) {

    JsonObject makeReceipt(TestLog of) {
      return receipt == null
          ? null
          : receipt.apply(trajectory ? of.trajectoryReceipt() : of.sessionReceipt());
    }

    @Override
    public String toString() {
      return code + " in line " + line;
    }
  }

  private static final String TIME = ",\"t\":\"2026-01-13T10:00:09Z\"";

  private static final String EARLY = ",\"t\":\"2026-01-13T10:00:01Z\"";

  private static final String MODEL_CALL = "{\"event\":\"ModelCall\",\"id\":\"m\"" + TIME + "}";

  @TempDir
  private Path directory;

  static Stream<Case> logs() {
    TestLog small = TestLog.small();
    return Stream.of(
        log(FindingCode.MALFORMED_LINE, TestLog.CALL_1, log -> log.edit(TestLog.CALL_1, "}", "")),
        log(
            FindingCode.DUPLICATE_KEY,
            TestLog.CALL_1,
            log -> log.edit(TestLog.CALL_1, "\"path\":\"a\"", "\"path\":\"a\",\"path\":\"a\"")),
        log(FindingCode.TORN_TAIL, TestLog.END, log -> log.cut(7)),
        log(
            FindingCode.PARAMS_HASH_MISMATCH,
            TestLog.CALL_1,
            log -> log.edit(TestLog.CALL_1, "\"path\":\"a\"", "\"path\":\"b\"")),
        log(
            FindingCode.OUTPUT_HASH_MISMATCH,
            TestLog.RESULT_1,
            log -> log.edit(TestLog.RESULT_1, "\"text\"", "\"test\"")),
        log(
            FindingCode.PAYLOAD_HASH_MISMATCH,
            TestLog.RUNTIME,
            log -> log.edit(TestLog.RUNTIME, "\"n\":1", "\"n\":2")),
        log(
            FindingCode.PREVIEW_MISMATCH,
            TestLog.RESULT_1,
            log -> log.edit(
                TestLog.RESULT_1,
                "\"step_utility\"",
                "\"output_preview\":\"txet\",\"step_utility\"")),
        log(
            FindingCode.MODEL_CALL_WITHOUT_RESULT,
            TestLog.END,
            log -> log.insert(TestLog.END, MODEL_CALL)),
        log(FindingCode.PROMPT_DELTA_INVALID, TestLog.END, log -> log.insert(
                TestLog.END, MODEL_CALL.replace("ModelCall", "ModelResult"))
            .insert(
                TestLog.END,
                MODEL_CALL.replace(",\"t\"", ",\"prompt_delta\":{\"base\":\"other\"},\"t\""))),
        log(
            FindingCode.MODEL_RESULT_WITHOUT_CALL,
            TestLog.END,
            log -> log.insert(TestLog.END, MODEL_CALL.replace("ModelCall", "ModelResult"))),
        log(
            FindingCode.FIELD_MISSING,
            TestLog.PLAN,
            log -> log.edit(TestLog.PLAN, "\"step_count\":1,", "")),
        log(
            FindingCode.FIELD_INVALID,
            TestLog.PLAN,
            log -> log.edit(TestLog.PLAN, "\"step_count\":1", "\"step_count\":\"1\"")),
        log(
            FindingCode.FIELD_INVALID,
            TestLog.PLAN,
            log -> log.edit(TestLog.PLAN, "sha256:abab", "sha256:ABAB")),
        log(
            FindingCode.EVENT_INVALID,
            TestLog.PLAN,
            log -> log.replace(TestLog.PLAN, "{\"step_count\":1,\"type\":\"PlanStart\"}")),
        log(
            FindingCode.EVENT_INVALID,
            TestLog.PLAN,
            log -> log.replace(TestLog.PLAN, "{\"event\":\"StepComplete\"}")),
        log(
            FindingCode.UNSUPPORTED_CANONICALIZATION,
            1,
            log -> log.edit(1, "{", "{\"canonicalization\":\"other\",")),
        log(
            FindingCode.RESULT_WITHOUT_CALL,
            TestLog.VERIFICATION,
            log -> log.insert(
                TestLog.VERIFICATION, TestLog.result("c-1", JsonValue.of("x"), "0.0", 0, 6))),
        log(
            FindingCode.EVENT_AFTER_END,
            TestLog.END + 1,
            log -> log.append("{\"event\":\"StepComplete\",\"iterations\":1,\"status\":\"Success\","
                + "\"step_id\":\"s\"" + TIME + "}")),
        log(FindingCode.HEADER_MISSING, 0, log -> log.remove(1)),
        log(FindingCode.HEADER_NOT_FIRST, 2, log -> log.insert(2, small.line(1))),
        log(FindingCode.HEADER_NOT_FIRST, 2, log -> log.remove(1).insert(2, small.line(1))),
        log(
            FindingCode.TOTALS_MISMATCH,
            TestLog.END,
            log -> log.edit(TestLog.END, "\"total_tool_calls\":2", "\"total_tool_calls\":3")),
        log(
            FindingCode.TOTALS_MISMATCH,
            TestLog.END,
            log -> log.edit(TestLog.END, "\"total_latency_ms\":15", "\"total_latency_ms\":14")),
        log(
            FindingCode.VALUE_OUT_OF_RANGE,
            TestLog.CALL_1,
            log -> log.edit(TestLog.CALL_1, "\"event\"", "\"effect_id\":\"\",\"event\"")),
        log(
            FindingCode.VALUE_OUT_OF_RANGE,
            TestLog.RESULT_1,
            log -> log.edit(TestLog.RESULT_1, "\"step_utility\":0.5", "\"step_utility\":1.5")),
        log(
            FindingCode.VALUE_OUT_OF_RANGE,
            TestLog.END,
            log -> log.edit(TestLog.END, "\"confidence\":0.9", "\"confidence\":-0.5")),
        log(
            FindingCode.UNSUPPORTED_VERSION,
            1,
            log -> log.edit(1, "\"replay_version\":1", "\"replay_version\":99")),
        log(
            FindingCode.VERSION_NEWER,
            1,
            log -> log.edit(1, "\"replay_version\":1", "\"replay_version\":1.1")),
        log(FindingCode.CALL_WITHOUT_RESULT, TestLog.CALL_2, log -> log.edit(
                TestLog.END, "\"total_latency_ms\":15", "\"total_latency_ms\":10")
            .remove(TestLog.RESULT_2)),
        log(FindingCode.DUPLICATE_CALL_ID, TestLog.CALL_2, log -> log.edit(
                TestLog.CALL_2, "\"c-2\"", "\"c-1\"")
            .edit(TestLog.RESULT_2, "\"c-2\"", "\"c-1\"")),
        log(FindingCode.ATTEMPT_REPEATED, TestLog.CALL_2, log -> log.edit(
                TestLog.CALL_1, "\"event\"", "\"attempt\":1,\"effect_id\":\"e\",\"event\"")
            .edit(TestLog.CALL_2, "\"event\"", "\"effect_id\":\"e\",\"event\"")),
        log(FindingCode.SESSION_START_MISSING, 0, log -> log.remove(2)),
        log(FindingCode.SESSION_END_MISSING, 0, log -> log.remove(TestLog.END)),
        log(
            FindingCode.NOT_CANONICAL,
            TestLog.CALL_1,
            log -> log.edit(TestLog.CALL_1, "\"event\":", "\"event\": ")),
        log(
            FindingCode.NOT_CANONICAL,
            TestLog.RESULT_1,
            log -> log.edit(TestLog.RESULT_1, "\"text\"", "\"t\\u0065xt\"")),
        log(FindingCode.NO_FINAL_NEWLINE, TestLog.END, log -> log.cut(1)),
        log(
            FindingCode.TIME_WENT_BACKWARDS,
            TestLog.VERIFICATION,
            log -> log.edit(TestLog.VERIFICATION, "10:00:07Z", "10:00:04.999Z")),
        log(
            FindingCode.RECORDING_GAP,
            TestLog.PLAN,
            log -> log.insert(
                TestLog.PLAN, "{\"event\":\"RecordingGap\"" + EARLY + ",\"unrecorded_events\":3}")),
        log(
            FindingCode.UNKNOWN_EVENT,
            TestLog.PLAN,
            log ->
                log.insert(TestLog.PLAN, "{\"event\":\"Thought\"" + EARLY + ",\"text\":\"hm\"}")),
        log(
            FindingCode.TIME_MISSING,
            TestLog.PLAN,
            log -> log.edit(TestLog.PLAN, ",\"t\":\"2026-01-13T10:00:02Z\"", "")),
        log(
            FindingCode.STATUS_UNKNOWN,
            TestLog.END,
            log -> log.edit(TestLog.END, "\"Success\"", "\"Banana\"")),
        log(
            FindingCode.STATUS_UNKNOWN,
            TestLog.END,
            log -> log.edit(TestLog.END, "\"Success\"", "\"Skipped\"")),
        log(
            FindingCode.NUMBER_TOO_LARGE,
            TestLog.RESULT_1,
            log -> log.edit(
                TestLog.RESULT_1, "\"latency_ms\":10", "\"latency_ms\":9223372036854775808")),
        log(
            FindingCode.NUMBER_TOO_LARGE,
            TestLog.END,
            log -> log.edit(
                TestLog.END,
                "\"total_latency_ms\":15",
                "\"total_latency_ms\":18446744073709551615")),
        log(
            FindingCode.HASH_UNVERIFIABLE,
            TestLog.CALL_1,
            log -> log.edit(TestLog.CALL_1, "\"params\":{\"path\":\"a\"},", "")),
        log(
            FindingCode.HASH_UNVERIFIABLE,
            TestLog.RESULT_2,
            log -> log.edit(TestLog.RESULT_2, "\"output\":\"done\",", "")),
        log(
            FindingCode.HASH_UNVERIFIABLE,
            TestLog.PLAN,
            log -> log.edit(TestLog.PLAN, TestLog.PLAN_HASH, "sha256:unknown")),
        log(
            FindingCode.FIELD_INVALID,
            TestLog.PLAN,
            log -> log.edit(TestLog.PLAN, TestLog.PLAN_HASH, "unknown")));
  }

  static Stream<Case> receipts() {
    return Stream.of(
        receipt(
            FindingCode.RECEIPT_UNREADABLE,
            0,
            receipt -> JsonObject.of("schema", "someone.else.v1")),
        receipt(
            FindingCode.RECEIPT_TOOL_MISMATCH,
            TestLog.CALL_2,
            receipt -> entry(receipt, 1, "tool", "delete")),
        receipt(
            FindingCode.RECEIPT_PARAMS_MISMATCH,
            TestLog.CALL_1,
            receipt -> entry(receipt, 0, "params_hash", OTHER_HASH)),
        receipt(
            FindingCode.RECEIPT_OUTPUT_MISMATCH,
            TestLog.RESULT_1,
            receipt -> entry(receipt, 0, "output_hash", OTHER_HASH)),
        receipt(
            FindingCode.RECEIPT_CALL_MISSING,
            0,
            receipt -> calls(
                receipt,
                receipt.at("/tool_calls/0"),
                receipt.at("/tool_calls/1"),
                receipt.at("/tool_calls/1").asObject().with("id", "c-3"))),
        receipt(
            FindingCode.RECEIPT_CALL_UNEXPECTED,
            TestLog.RESULT_2,
            receipt -> calls(receipt, receipt.at("/tool_calls/0"))),
        receipt(
            FindingCode.RECEIPT_FIELD_MISMATCH, 2, receipt -> receipt.with("session_id", "s-2")),
        receipt(
            FindingCode.REPLAY_HASH_MISMATCH,
            0,
            receipt -> receipt.with("replay_hash", OTHER_HASH)),
        receipt(FindingCode.TREE_ROOT_MISMATCH, 0, receipt -> receipt
            .with("tree_size", 10)
            .with("tree_root", OTHER_HASH)),
        receipt(FindingCode.SIGNATURE_UNVERIFIABLE, 0, receipt -> receipt.with("signature", "x")),
        trajectory(
            FindingCode.RECEIPT_DIGEST_MISMATCH,
            0,
            receipt -> receipt.with("canonical_json_sha256", "0".repeat(64))));
  }

  @ParameterizedTest
  @MethodSource({"logs", "receipts"})
  void altered_session_has_this_finding_and_no_other(Case altered) throws IOException {
    TestLog log = altered.log().apply(TestLog.small());
    VerificationReport report = log.verify(directory, altered.makeReceipt(log));

    assertThat(report.findings())
        .extracting(Finding::code)
        .as("%s", report.findings())
        .containsExactly(altered.code());
    Finding finding = report.findings().get(0);
    if (altered.line() == 0) {
      assertThat(finding.position()).isNull();
    } else {
      assertThat(finding.position().line()).isEqualTo(altered.line());
    }
    assertThat(finding.message()).isNotBlank();
    assertThat(report.count(altered.code())).isEqualTo(1);
    assertThat(report.verdict()).isEqualTo(verdict(altered.code().severity()));
  }

  @Test
  void untouched_session_has_no_finding() throws IOException {
    TestLog log = TestLog.small();
    for (JsonValue receipt :
        new JsonValue[] {null, log.sessionReceipt(), log.trajectoryReceipt()}) {
      VerificationReport report = log.verify(directory, receipt);
      assertThat(report.findings()).isEmpty();
      assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    }
  }

  @Test
  void every_code_has_its_case() {
    Set<FindingCode> covered = EnumSet.copyOf(ELSEWHERE);
    Stream.concat(logs(), receipts()).forEach(altered -> covered.add(altered.code()));
    assertThat(covered).containsExactlyInAnyOrder(FindingCode.values());
  }

  @Test
  void events_without_time_are_counted_and_the_first_is_listed() throws IOException {
    TestLog log = TestLog.small();
    for (int line = 1; line <= log.size(); line++) {
      log = log.replace(
          line, log.line(line).replaceFirst(",?\"t\":\"[^\"]*\"(,?)", "$1").replace("{,", "{"));
    }
    VerificationReport report = log.verify(directory, null);

    assertThat(report.count(FindingCode.TIME_MISSING)).isEqualTo(log.size() - 1L);
    assertThat(report.findings()).singleElement().satisfies(finding -> {
      assertThat(finding.code()).isEqualTo(FindingCode.TIME_MISSING);
      assertThat(finding.position().line()).isEqualTo(2);
    });
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void clock_may_go_back_by_second() throws IOException {
    TestLog log = TestLog.small().edit(TestLog.VERIFICATION, "10:00:07Z", "10:00:05Z");
    assertThat(log.verify(directory, null).findings()).isEmpty();
  }

  @Test
  void clock_that_stays_behind_is_found_once() throws IOException {
    TestLog log = TestLog.small()
        .edit(TestLog.VERIFICATION, "10:00:07Z", "09:00:07Z")
        .edit(TestLog.RUNTIME, "10:00:08Z", "09:00:08Z")
        .edit(TestLog.END, "10:00:09Z", "09:00:09Z");
    assertThat(log.verify(directory, null).findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.TIME_WENT_BACKWARDS);
  }

  @Test
  void second_end_is_an_event_after_the_first_and_its_totals_mean_nothing() throws IOException {
    TestLog log = TestLog.small();
    String second =
        log.line(TestLog.END).replace("\"total_tool_calls\":2", "\"total_tool_calls\":9");
    assertThat(log.append(second).append(second).verify(directory, null).findings())
        .extracting(Finding::code, Finding::message)
        .containsOnly(tuple(
            FindingCode.EVENT_AFTER_END,
            "event after the end of the session in line " + TestLog.END));
  }

  @Test
  void empty_log_has_neither_header_nor_end() throws IOException {
    TestLog log = TestLog.small().cut(TestLog.small().bytes().length);
    VerificationReport report = log.verify(directory, null);

    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(
            FindingCode.HEADER_MISSING,
            FindingCode.SESSION_START_MISSING,
            FindingCode.SESSION_END_MISSING);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.dialect()).isNull();
  }

  @Test
  void findings_are_in_the_order_of_the_log_and_those_without_a_place_last() throws IOException {
    TestLog log = TestLog.small()
        .remove(1)
        .edit(TestLog.RESULT_1 - 1, "\"text\"", "\"test\"")
        .edit(TestLog.PLAN - 1, "\"step_count\":1,", "")
        .insert(4, TestLog.call("c-9", "never", JsonObject.EMPTY, 4))
        .edit(TestLog.END, "\"total_tool_calls\":2", "\"total_tool_calls\":3");
    assertThat(log.verify(directory, null).findings())
        .extracting(Finding::code)
        .containsExactly(
            FindingCode.FIELD_MISSING,
            FindingCode.CALL_WITHOUT_RESULT,
            FindingCode.OUTPUT_HASH_MISMATCH,
            FindingCode.HEADER_MISSING);
  }

  private static Verdict verdict(Severity severity) {
    return switch (severity) {
      case UNREADABLE -> Verdict.UNREADABLE;
      case ERROR -> Verdict.INVALID;
      case WARNING, INFO -> Verdict.VALID;
    };
  }

  private static Case log(FindingCode code, int line, UnaryOperator<TestLog> alter) {
    return new Case(code, line, alter, false, null);
  }

  private static Case receipt(FindingCode code, int line, UnaryOperator<JsonObject> alter) {
    return new Case(code, line, UnaryOperator.identity(), false, alter);
  }

  private static Case trajectory(FindingCode code, int line, UnaryOperator<JsonObject> alter) {
    return new Case(code, line, UnaryOperator.identity(), true, alter);
  }

  private static JsonObject entry(JsonObject receipt, int index, String name, String value) {
    JsonValue[] entries = receipt.at("/tool_calls").asArray().stream().toArray(JsonValue[]::new);
    entries[index] = entries[index].asObject().with(name, value);
    return calls(receipt, entries);
  }

  private static JsonObject calls(JsonObject receipt, JsonValue... entries) {
    return receipt.with("tool_calls", JsonArray.of((Object[]) entries));
  }
}
