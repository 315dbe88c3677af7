package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verdict of a verification under each policy. */
class VerdictTest {

  @TempDir
  private Path directory;

  @Test
  void session_in_which_something_was_checked_is_valid() throws IOException {
    VerificationReport report = TestLog.small().verify(directory, null);

    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.dialect()).isEqualTo(Dialect.EVENT);
    assertThat(report.canonicalization()).isEqualTo(Canonicalization.SERDE);
    assertThat(report.session().log()).isEqualTo(directory.resolve(Session.LOG_NAME));
    assertThat(report.count(Counter.PARAMS_HASHES_VERIFIED)).isEqualTo(2);
    assertThat(report.count(Counter.OUTPUT_HASHES_VERIFIED)).isEqualTo(2);
    assertThat(report.count(Counter.PAYLOAD_HASHES_VERIFIED)).isEqualTo(1);
    assertThat(report.count(Counter.ANSWERED_CALLS)).isEqualTo(2);
    assertThat(report.count(Counter.EVENTS)).isEqualTo(10);
  }

  @Test
  void log_in_segments_is_verified_as_the_whole() throws IOException {
    TestLog log = TestLog.small();
    JsonObject receipt = log.sessionReceipt().with("replay_hash", hash(log));
    VerificationReport whole = log.verify(directory, receipt);
    Path file = whole.session().log();
    byte[] bytes = Files.readAllBytes(file);
    for (int cut = 1; cut < bytes.length; cut += 97) {
      Files.write(file, Arrays.copyOf(bytes, cut));
      Path segment = file.resolveSibling(file.getFileName() + ".2");
      Files.write(segment, Arrays.copyOfRange(bytes, cut, bytes.length));
      VerificationReport report =
          SessionVerifier.of(VerifyPolicy.defaults()).verify(whole.session());
      for (Counter counter : Counter.values()) {
        assertThat(report.count(counter)).isEqualTo(whole.count(counter));
      }
      List<Finding> findings = new ArrayList<>(report.findings());
      assertThat(findings.removeIf(finding -> finding.code() == FindingCode.REPLAY_HASH_MISMATCH
              && (finding.message().equals("segment 1 ends within this line")
                  || finding.message().matches("segment 2 begins with .*, expected LogSegment"))))
          .as("cut at %d", cut)
          .isTrue();
      assertThat(findings).isEqualTo(whole.findings());
      bytes[bytes.length - 1] = ' '; // in place of the last line feed
      Files.write(segment, Arrays.copyOfRange(bytes, cut, bytes.length));
      assertThat(SessionVerifier.of(VerifyPolicy.defaults())
              .verify(whole.session())
              .findings())
          .contains(new Finding(
              FindingCode.NO_FINAL_NEWLINE,
              new Position(10, bytes.length - 1L - log.line(10).length()),
              "the last line has no line feed"));
      bytes[bytes.length - 1] = '\n';
    }
  }

  @Test
  void session_in_which_nothing_could_be_checked_is_unverified() throws IOException {
    VerificationReport report = withoutValues().verify(directory, null);
    assertThat(report.verdict()).isEqualTo(Verdict.UNVERIFIED);
    assertThat(report.count(Counter.PARAMS_HASHES_UNVERIFIABLE)).isEqualTo(2);
    assertThat(report.count(Counter.OUTPUT_HASHES_UNVERIFIABLE)).isEqualTo(2);
  }

  @Test
  void receipt_makes_a_session_without_values_valid() throws IOException {
    TestLog log = withoutValues();
    assertThat(log.verify(directory, log.sessionReceipt().with("replay_hash", hash(log)))
            .verdict())
        .isEqualTo(Verdict.VALID);
  }

  @Test
  void what_cannot_be_read_outranks_what_is_wrong() throws IOException {
    TestLog wrong = TestLog.small().edit(TestLog.CALL_1, "\"path\":\"a\"", "\"path\":\"b\"");
    assertThat(wrong.verify(directory, null).verdict()).isEqualTo(Verdict.INVALID);
    VerificationReport report = wrong.insert(3, "junk").verify(directory, null);

    assertThat(report.verdict()).isEqualTo(Verdict.UNREADABLE);
    assertThat(report.count(FindingCode.PARAMS_HASH_MISMATCH)).isEqualTo(1);
    assertThat(report.count(Counter.UNREADABLE_LINES)).isEqualTo(1);
  }

  @Test
  void behind_a_damaged_line_nothing_is_concluded_from_what_is_missing() throws IOException {
    TestLog log = TestLog.small();
    VerificationReport report =
        log.replace(TestLog.CALL_1, "junk").verify(directory, log.sessionReceipt());

    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.MALFORMED_LINE);
    assertThat(report.count(Counter.EVENTS)).isEqualTo(9);
  }

  @Test
  void log_of_another_version_is_not_checked_further() throws IOException {
    VerificationReport report = TestLog.small()
        .edit(1, "\"replay_version\":1", "\"replay_version\":2")
        .replace(2, "junk")
        .verify(directory, TestLog.small().sessionReceipt());

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.UNSUPPORTED_VERSION);
    assertThat(report.count(Counter.EVENTS)).isEqualTo(1);
  }

  @Test
  void hashes_of_an_unknown_canonicalization_are_not_checked() throws IOException {
    VerificationReport report = TestLog.small()
        .edit(1, "{", "{\"canonicalization\":\"other\",")
        .edit(TestLog.CALL_1, "\"path\":\"a\"", "\"path\":\"b\"")
        .verify(directory, null);

    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.UNSUPPORTED_CANONICALIZATION);
    assertThat(report.canonicalization()).isNull();
    assertThat(report.count(Counter.PARAMS_HASHES_UNVERIFIABLE)).isEqualTo(2);
    assertThat(report.count(Counter.PARAMS_HASHES_VERIFIED)).isZero();
  }

  @Test
  void header_of_another_version_is_not_checked_itself() throws IOException {
    VerificationReport report = TestLog.small()
        .edit(1, "\"producer\":\"p@1\",\"replay_version\":1", "\"replay_version\": 2")
        .verify(directory, null);
    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.UNSUPPORTED_VERSION);
  }

  @Test
  void one_thing_that_was_checked_is_enough() throws IOException {
    TestLog none = withoutValues();
    assertThat(none.verify(directory, none.sessionReceipt()).verdict())
        .as("calls of a receipt")
        .isEqualTo(Verdict.VALID);
    TestLog payload = none.replace(TestLog.RUNTIME, TestLog.small().line(TestLog.RUNTIME));
    assertThat(payload.verify(directory, null).verdict()).as("a payload").isEqualTo(Verdict.VALID);
  }

  @Test
  void digest_of_the_receipt_says_nothing_of_the_log() throws IOException {
    TestLog log = TestLog.small();
    for (int number = TestLog.RUNTIME; number >= TestLog.PLAN; number--) {
      log = log.remove(number);
    }
    log = log.edit(
        3,
        "\"total_latency_ms\":15,\"total_tool_calls\":2",
        "\"total_latency_ms\":0,\"total_tool_calls\":0");
    JsonObject receipt = JsonObject.of(
        "schema", "openagents.receipt.v1",
        "session_id", "s-1",
        "trajectory_hash", "sha256:" + "0".repeat(64),
        "policy_bundle_id", "v1",
        "canonical_json_sha256", "",
        "event_count", 99);
    VerificationReport report = log.verify(directory, TestLog.digested(receipt));

    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.HASH_UNVERIFIABLE);
    assertThat(report.count(Counter.RECEIPT_DIGESTS_VERIFIED)).isEqualTo(1);
    assertThat(report.verdict()).isEqualTo(Verdict.UNVERIFIED);
  }

  @Test
  void unmet_requirement_makes_a_session_unverified() throws IOException {
    VerificationReport report = verify(TestLog.small(), EnumSet.of(Requirement.RECEIPT));
    assertThat(report.verdict()).isEqualTo(Verdict.UNVERIFIED);
    assertThat(report.unmet()).containsExactly(Requirement.RECEIPT);

    report = verify(withoutValues(), EnumSet.of(Requirement.HASHES));
    assertThat(report.unmet()).containsExactly(Requirement.HASHES);

    report = verify(
        TestLog.small().remove(TestLog.END),
        EnumSet.of(Requirement.HASHES, Requirement.RECEIPT, Requirement.SESSION_END));
    assertThat(report.verdict()).isEqualTo(Verdict.UNVERIFIED);
    assertThat(report.unmet())
        .containsExactlyInAnyOrder(Requirement.RECEIPT, Requirement.SESSION_END);
  }

  @Test
  void met_requirements_leave_a_session_valid() throws IOException {
    TestLog log = TestLog.small();
    VerifyPolicy policy = VerifyPolicy.defaults()
        .requiring(
            Requirement.HASHES,
            Requirement.RECEIPT,
            Requirement.SESSION_END,
            Requirement.CANONICAL_LINES);
    VerificationReport report = log.verify(directory, log.sessionReceipt(), policy);

    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.unmet()).isEmpty();
  }

  @Test
  void unmet_requirement_does_not_hide_an_error() throws IOException {
    TestLog wrong = TestLog.small().edit(TestLog.CALL_1, "\"path\":\"a\"", "\"path\":\"b\"");
    assertThat(verify(wrong, EnumSet.of(Requirement.RECEIPT)).verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void findings_beyond_the_limit_are_counted_and_not_listed() throws IOException {
    TestLog log = TestLog.small();
    for (int i = 0; i < 5; i++) {
      log = log.insert(TestLog.PLAN, "{\"event\":\"Thought\",\"t\":\"2026-01-13T10:00:01Z\"}");
    }
    log = log.edit(1, "\"producer\":\"p@1\",", "");
    VerifyPolicy policy = VerifyPolicy.defaults().withMaxFindings(2);
    VerificationReport report = log.verify(directory, null, policy);

    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(
            FindingCode.FIELD_MISSING, FindingCode.UNKNOWN_EVENT, FindingCode.UNKNOWN_EVENT);
    assertThat(report.count(FindingCode.UNKNOWN_EVENT)).isEqualTo(5);
    assertThat(report.isTruncated()).isTrue();
    assertThat(log.verify(directory, null).isTruncated()).isFalse();
    VerificationReport none = log.verify(directory, null, policy.withMaxFindings(0));
    assertThat(none.findings()).isEmpty();
    assertThat(none.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(none.isTruncated()).isTrue();
  }

  @Test
  void policy_refuses_a_negative_limit_and_copies_its_requirements() {
    assertThatThrownBy(() -> VerifyPolicy.defaults().withMaxFindings(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maximum of findings must not be negative: -1");
    Set<Requirement> mine = EnumSet.of(Requirement.RECEIPT);
    VerifyPolicy policy = VerifyPolicy.defaults().withRequirements(mine);
    mine.clear();
    assertThat(policy.requirements()).containsExactly(Requirement.RECEIPT);
    assertThat(policy.maxFindings()).isEqualTo(VerifyPolicy.DEFAULT_MAX_FINDINGS);
  }

  @Test
  void missing_files_are_exceptions_and_no_findings() throws IOException {
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> verifier.verify(new Session(none, null)))
        .isInstanceOf(NoSuchFileException.class);
    Session session = TestLog.small().write(directory, null).withReceipt(none);
    assertThatThrownBy(() -> verifier.verify(session)).isInstanceOf(NoSuchFileException.class);
  }

  private VerificationReport verify(TestLog log, Set<Requirement> requirements) throws IOException {
    return log.verify(directory, null, VerifyPolicy.defaults().withRequirements(requirements));
  }

  /** The small log as it would be published: hashes without their values. */
  private static TestLog withoutValues() {
    TestLog log = TestLog.small();
    for (int number : new int[] {
      TestLog.CALL_1, TestLog.CALL_2, TestLog.RESULT_1, TestLog.RESULT_2, TestLog.RUNTIME
    }) {
      JsonObject line = log.json(number).without("params", "output", "payload");
      log = log.replace(number, CanonicalJson.SERDE.text(line));
    }
    return log;
  }

  private static JsonValue hash(TestLog log) {
    return JsonValue.of(ContentHash.sha256(log.bytes()).toString());
  }
}
