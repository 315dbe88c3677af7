package dev.agentreplay.verify;

import static dev.agentreplay.model.finding.FindingCode.FIELD_MISSING;
import static dev.agentreplay.model.finding.FindingCode.HASH_UNVERIFIABLE;
import static dev.agentreplay.model.finding.FindingCode.NOT_CANONICAL;
import static dev.agentreplay.model.finding.FindingCode.PARAMS_HASH_MISMATCH;
import static dev.agentreplay.model.finding.FindingCode.RECEIPT_FIELD_MISMATCH;
import static dev.agentreplay.model.finding.FindingCode.SESSION_START_MISSING;
import static dev.agentreplay.model.finding.FindingCode.TIME_WENT_BACKWARDS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestSessions;
import dev.agentreplay.verify.VerificationReport.Claim;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions by the format's own producers are valid, and altered ones are not. */
class OriginSessionsTest {

  private static final String EVENT = "runtime-event/run_cancel_flow_v1";
  private static final String TYPE = "runtime-type/run_cancel_flow_v1";
  private static final String TOOLS = "runtime-tools/tool_with_params";

  /** The expected result of a session; the digest of its runtime is verified if possible. */
  private record Case(
      String session, Verdict verdict, boolean runIsVerified, Set<FindingCode> codes) {}

  @TempDir
  private Path directory;

  static Stream<Case> sessions() {
    Stream<String> runs =
        Stream.of("run_happy_path_v1", "run_cancel_flow_v1", "run_failure_from_canceling_v1");
    Stream<Case> eras = runs.flatMap(run -> Stream.of(
        new Case(
            "runtime-type/" + run, Verdict.VALID, false, Set.of(NOT_CANONICAL, HASH_UNVERIFIABLE)),
        new Case("runtime-event/" + run, Verdict.VALID, true, Set.of())));
    return Stream.concat(
        eras,
        Stream.of(
            new Case(TOOLS, Verdict.VALID, false, Set.of(HASH_UNVERIFIABLE)),
            new Case(
                "runtime-tools/payment_of_their_test",
                Verdict.VALID,
                false,
                Set.of(HASH_UNVERIFIABLE)),
            new Case(
                "runtime-tools/tool_without_params_as_their_vignette",
                Verdict.INVALID,
                false,
                Set.of(PARAMS_HASH_MISMATCH, HASH_UNVERIFIABLE)),
            new Case(
                "adjutant-serde-1.0.149",
                Verdict.VALID,
                false,
                Set.of(HASH_UNVERIFIABLE, TIME_WENT_BACKWARDS)),
            new Case(
                "adjutant-serde-1.0.144",
                Verdict.INVALID,
                false,
                Set.of(
                    PARAMS_HASH_MISMATCH, NOT_CANONICAL, HASH_UNVERIFIABLE, TIME_WENT_BACKWARDS))));
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void session_of_the_origin_has_its_verdict(Case expected) throws IOException {
    VerificationReport report = verify(origin(expected.session()), VerifyPolicy.defaults());

    assertThat(report.findingCounts().keySet())
        .as("%s", report.findings())
        .isEqualTo(expected.codes());
    assertThat(report.verdict()).isEqualTo(expected.verdict());
    assertThat(report.count(Counter.RUN_DIGESTS_VERIFIED))
        .isEqualTo(expected.runIsVerified() ? 1 : 0);
    assertThat(report.count(Counter.EVENT_DIGESTS_VERIFIED)).isZero();
  }

  @Test
  void every_session_next_to_the_tests_is_in_the_table() throws IOException {
    Path root = TestSessions.bundled("origin");
    try (Stream<Path> files = Files.walk(root)) {
      assertThat(files.filter(file -> file.endsWith(Session.LOG_NAME)))
          .extracting(log -> root.relativize(log.getParent()).toString().replace('\\', '/'))
          .containsExactlyInAnyOrderElementsOf(sessions().map(Case::session).toList());
    }
  }

  @Test
  void log_of_an_older_serde_is_valid_with_its_canonicalization() throws IOException {
    Path session = origin("adjutant-serde-1.0.144");
    VerifyPolicy ryu = VerifyPolicy.defaults().withCanonicalization(Canonicalization.SERDE_RYU);

    assertThat(verify(session, VerifyPolicy.defaults()).findings())
        .filteredOn(finding -> finding.code() == PARAMS_HASH_MISMATCH)
        .extracting(Finding::hint)
        .singleElement()
        .asString()
        .contains("replay verify --canonicalization serde-ryu");
    VerificationReport report = verify(session, ryu);
    assertThat(report.findingCounts()).containsOnlyKeys(HASH_UNVERIFIABLE, TIME_WENT_BACKWARDS);
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.canonicalization()).isEqualTo(Canonicalization.SERDE_RYU);
  }

  @Test
  void header_that_names_another_canonicalization_than_the_policy_is_an_error() throws IOException {
    Path session = copy("adjutant-serde-1.0.144", "{\"cr", "{\"canonicalization\":\"serde\",\"cr");
    VerifyPolicy ryu = VerifyPolicy.defaults().withCanonicalization(Canonicalization.SERDE_RYU);

    VerificationReport report = verify(session, ryu);

    assertThat(report.findingCounts())
        .containsKeys(FindingCode.UNSUPPORTED_CANONICALIZATION, PARAMS_HASH_MISMATCH);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"seq\":2|\"seq\":4",
        "\"seq\":1|\"seq\":2",
        "\"runtime_event_type\":\"run.started\"|\"runtime_event_type\":\"run.begun\"",
        "\"finish:cancel\"|\"finish:other\"",
        "\"idempotency_key\":\"finish:cancel\"|\"idempotency_key\":null",
        "\"idempotency_key\":\"finish:cancel\",|",
        "00:10:02|00:10:03"
      })
  void altered_event_of_the_runtime_is_found(String alteration) throws IOException {
    String[] sides = alteration.split("\\|", -1);

    assertInvalid(copy(EVENT, sides[0], sides[1]), RECEIPT_FIELD_MISMATCH);
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENT, TYPE, TOOLS})
  void event_of_the_runtime_that_was_removed_or_is_there_twice_is_found(String name)
      throws IOException {
    Path session = copy(name, "", "");
    Path log = session.resolve(Session.LOG_NAME);
    String text = Files.readString(log, UTF_8);
    String line = text.lines()
        .filter(each -> each.contains("run.started"))
        .map(each -> each + "\n")
        .findFirst()
        .orElseThrow();

    Files.writeString(log, text.replace(line, line + line), UTF_8);
    assertInvalid(session, RECEIPT_FIELD_MISMATCH);
    Files.writeString(log, text.replace(line, ""), UTF_8);
    VerificationReport removed = verify(session, VerifyPolicy.defaults());
    assertThat(removed.count(Counter.RUN_DIGESTS_VERIFIED)).isZero();
    assertThat(removed.conclusions())
        .filteredOn(conclusion -> conclusion.claim() == Claim.LOG)
        .noneMatch(Conclusion::isProved);
  }

  @Test
  void keys_taken_out_of_a_log_do_not_make_its_hash_unverifiable() throws IOException {
    Path session = copy(EVENT, "\"idempotency_key\":null,", "");
    Path log = session.resolve(Session.LOG_NAME);
    String text = Files.readString(log, UTF_8);
    Files.writeString(log, text.replace("\"idempotency_key\":\"finish:cancel\",", ""), UTF_8);

    assertInvalid(session, RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void event_that_is_replaced_by_one_that_no_hash_covers_is_found() throws IOException {
    Path session = copy(EVENT, "", "");
    Path log = session.resolve(Session.LOG_NAME);
    String line = Files.readString(log, UTF_8)
        .lines()
        .filter(each -> each.contains("run.started"))
        .findFirst()
        .orElseThrow();
    String verification = "{\"commands\":[],\"event\":\"Verification\",\"exit_codes\":[],"
        + "\"t\":\"2026-02-01T00:10:00+00:00\",\"verification_delta\":0}";
    Files.writeString(log, Files.readString(log, UTF_8).replace(line, verification), UTF_8);

    assertInvalid(session, RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void added_call_that_the_runtime_did_not_number_is_found() throws IOException {
    assertInvalid(
        copy(
            EVENT,
            "{\"confidence\"",
            "{\"amount_msats\":1,\"event\":\"Payment\",\"t\":\"2026-02-01T00:10:03+00:00\"}\n"
                + "{\"confidence\""),
        RECEIPT_FIELD_MISMATCH);
  }

  /** A log of this library, in which as many events are of a runtime as it had lines. */
  @Test
  void receipt_of_another_shape_never_counts_the_events_of_a_runtime() throws IOException {
    UnaryOperator<JsonObject> ofOurs = receipt -> receipt.with(
        "tool_calls", JsonArray.of(receipt.at("/tool_calls/0").asObject().with("ok", true)));
    UnaryOperator<JsonObject> signed = receipt -> receipt.with("signature", "ed25519:k:AA==");

    assertInvalid(withReceipt(TOOLS, ofOurs), RECEIPT_FIELD_MISMATCH);
    assertInvalid(withReceipt(TOOLS, signed), RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void digest_of_the_runtime_proves_its_events_and_not_the_lines_around_them() throws IOException {
    VerificationReport report = verify(origin(EVENT), VerifyPolicy.defaults());

    assertThat(report.conclusions())
        .filteredOn(conclusion -> conclusion.claim() == Claim.LOG)
        .extracting(Conclusion::isProved)
        .containsExactly(true, false);
  }

  @Test
  void older_receipt_needs_no_digest_and_is_not_reported_to_have_one() throws IOException {
    VerificationReport report = verify(origin(TYPE), VerifyPolicy.defaults());

    assertThat(report.count(FIELD_MISSING)).isZero();
    assertThat(report.count(Counter.RECEIPT_DIGESTS_VERIFIED)).isZero();
    assertThat(report.conclusions())
        .filteredOn(conclusion -> conclusion.claim() == Claim.RECEIPT)
        .noneMatch(Conclusion::isProved);
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENT, TYPE})
  void log_without_a_start_is_found(String name) throws IOException {
    Path session = copy(name, "", "");
    Path log = session.resolve(Session.LOG_NAME);
    String text = Files.readString(log, UTF_8);
    Files.writeString(
        log,
        text.lines()
            .filter(line -> !line.contains("SessionStart"))
            .map(line -> line + "\n")
            .reduce("", String::concat),
        UTF_8);

    VerificationReport report = verify(session, VerifyPolicy.defaults());

    assertThat(report.count(SESSION_START_MISSING)).isEqualTo(1);
    assertThat(verify(session, VerifyPolicy.strict()).verdict()).isEqualTo(Verdict.INVALID);
  }

  private Path withReceipt(String name, UnaryOperator<JsonObject> change) throws IOException {
    Path session = copy(name, "", "");
    Path file = session.resolve(Session.RECEIPT_NAME);
    JsonObject changed = change.apply(JsonText.parse(Files.readAllBytes(file)).asObject());
    JsonObject receipt =
        changed.with("canonical_json_sha256", ReceiptCodec.digest(changed).hex());
    Files.writeString(file, receipt.toString(), UTF_8);
    return session;
  }

  private void assertInvalid(Path session, FindingCode code) throws IOException {
    VerificationReport report = verify(session, VerifyPolicy.defaults());
    assertThat(report.findingCounts()).as("%s", report.findings()).containsKey(code);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
  }

  /** A copy of a session with the first occurrence of a text in its log replaced. */
  private Path copy(String name, String from, String to) throws IOException {
    Path copy = Files.createDirectories(directory.resolve(name));
    Path original = origin(name);
    String log = Files.readString(original.resolve(Session.LOG_NAME), UTF_8);
    assertThat(log).contains(from);
    int at = log.indexOf(from);
    Files.writeString(
        copy.resolve(Session.LOG_NAME),
        log.substring(0, at) + to + log.substring(at + from.length()),
        UTF_8);
    Files.writeString(
        copy.resolve(Session.RECEIPT_NAME),
        Files.readString(original.resolve(Session.RECEIPT_NAME), UTF_8),
        UTF_8);
    return copy;
  }

  private static Path origin(String name) {
    return TestSessions.bundled("origin").resolve(name);
  }

  private static VerificationReport verify(Path session, VerifyPolicy policy) throws IOException {
    return SessionVerifier.of(policy).verify(Session.open(session));
  }
}
