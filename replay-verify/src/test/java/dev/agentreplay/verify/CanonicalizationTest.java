package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.TrajectoryHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Logs in each canonicalization, and hashes that were made with a different one. */
class CanonicalizationTest {

  /** Has another form, and another order, in each canonicalization. */
  private static final JsonObject VALUE =
      JsonObject.of("\ufb33", 1e16, "\ud83d\ude02", 1e21, "n", 1.0);

  @TempDir
  Path directory;

  @ParameterizedTest
  @EnumSource
  void recorded_session_is_valid_and_names_what_is_not_the_default(
      Canonicalization canonicalization) throws IOException {
    Session session = record(Dialect.EVENT, canonicalization);

    VerificationReport report = verify(session);

    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.canonicalization()).isEqualTo(canonicalization);
    assertThat(report.count(Counter.PARAMS_HASHES_VERIFIED)).isEqualTo(1);
    assertThat(report.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(1);
    assertThat(Files.readString(session.log()))
        .contains(CanonicalJson.of(canonicalization).hash(VALUE).toString())
        .contains(CanonicalJson.of(canonicalization).text(VALUE));
    assertThat(Files.readString(session.log()).contains("canonicalization"))
        .isEqualTo(canonicalization != Canonicalization.SERDE);
  }

  @ParameterizedTest
  @EnumSource
  void receipt_of_a_trajectory_has_its_hash_and_digest(Canonicalization canonicalization)
      throws IOException {
    Session session = record(Dialect.TYPE, canonicalization).withReceipt(null);
    Receipt receipt = Receipts.compute(session, Receipt.Form.OPENAGENTS_V1);
    Path file = directory.resolve("v1.json");
    ReceiptFile.create(file, receipt);

    VerificationReport report = verify(session.withReceipt(file));

    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.EVENT_DIGESTS_VERIFIED)).isEqualTo(1);
    assertThat(report.count(Counter.RECEIPT_DIGESTS_VERIFIED)).isEqualTo(1);
    Files.writeString(
        session.log(), Files.readString(session.log()).replace("\"jcs\"", "\"serde\""));
    assertThat(verify(session.withReceipt(file)).findings().isEmpty())
        .isEqualTo(canonicalization != Canonicalization.JCS);
  }

  @Test
  void integer_that_would_be_rounded_is_not_recorded() throws IOException {
    try (SessionRecorder recorder = recorder(Dialect.EVENT, Canonicalization.JCS)) {
      JsonObject params = JsonObject.of("id", (1L << 53) + 1);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> recorder.call("t", params))
          .withMessageContaining("9007199254740993");
      recorder.call("t", VALUE).result(JsonValue.of(1));
      recorder.end(Status.SUCCESS, 1);
    }
    assertThat(verify(Session.open(directory.resolve("s"))).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void hash_of_a_rounded_integer_is_a_mismatch_with_a_hint() throws IOException {
    Session session = record(Dialect.EVENT, Canonicalization.JCS);
    JsonObject rounded = JsonObject.of("id", 9007199254740992.0);
    alter(session, CanonicalJson.JCS.text(VALUE), "{\"id\":9007199254740993}");
    alter(
        session,
        CanonicalJson.JCS.hash(VALUE).toString(),
        CanonicalJson.JCS.hash(rounded).toString());

    Finding finding = only(verify(session.withReceipt(null)), FindingCode.PARAMS_HASH_MISMATCH);

    assertThat(finding.message()).contains("jcs would change the digits");
    assertThat(finding.hint()).contains("at \"/id\", `9007199254740992` instead");
    assertThat(verify(session).verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void hash_of_another_canonicalization_stays_an_error_and_is_explained() throws IOException {
    Session session = record(Dialect.EVENT, Canonicalization.SERDE);
    alter(
        session,
        CanonicalJson.SERDE.hash(VALUE).toString(),
        CanonicalJson.JCS.hash(VALUE).toString());

    VerificationReport report = verify(session.withReceipt(null));

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(only(report, FindingCode.PARAMS_HASH_MISMATCH).hint())
        .contains("the hash fits the canonicalization jcs");
  }

  @ParameterizedTest
  @EnumSource
  void receipt_of_a_session_has_numbers_as_the_log_has_them(Canonicalization canonicalization)
      throws IOException {
    JsonObject effect = JsonObject.of("type", "pay", "cost", JsonNumber.of("1.50"), "n", 1.0);
    Session session = recordSideEffect(canonicalization, effect);
    JsonValue receipt = JsonText.parse(Files.readAllBytes(session.receipt()));
    JsonValue call = receipt.asObject().get("tool_calls").asArray().get(0);
    JsonValue inLog = JsonText.parse(CanonicalJson.of(canonicalization).bytes(effect));
    assertThat(call.asObject().get("side_effects").asArray()).containsExactly(inLog);
    assertThat(verify(session).findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"JCS, 1.0, true", "JCS, 2, false", "SERDE, 1.50, false", "SERDE, 1.0, false"})
  void side_effects_are_compared_in_the_form_of_the_log(
      Canonicalization canonicalization, String inReceipt, boolean same) throws IOException {
    Session session = recordSideEffect(canonicalization, JsonObject.of("cost", 1));
    String receipt = Files.readString(session.receipt());
    String other = receipt.replaceFirst("(\"cost\"\\s*:\\s*)1", "$1" + inReceipt);
    assertThat(other).isNotEqualTo(receipt);
    Files.writeString(session.receipt(), other);

    assertThat(verify(session).findings().isEmpty()).isEqualTo(same);
  }

  @Test
  void integer_that_would_be_rounded_counts_in_a_trajectory() {
    TrajectoryHash one = new TrajectoryHash();
    TrajectoryHash other = new TrajectoryHash();
    ReplayHeader header = ReplayHeader.of("p").withCanonicalization("jcs");
    UnknownEvent event = new UnknownEvent("X", Meta.NONE);
    one.add(header, JsonObject.EMPTY);
    other.add(header, JsonObject.EMPTY);
    one.add(event, JsonObject.of("n", (1L << 53) + 1));
    other.add(event, JsonObject.of("n", 1L << 53));

    assertThat(one.toHash()).isNotEqualTo(other.toHash());
  }

  @Test
  void first_header_names_the_canonicalization() throws IOException {
    Session session = record(Dialect.EVENT, Canonicalization.SERDE).withReceipt(null);
    List<String> lines = new ArrayList<>(Files.readAllLines(session.log()));
    lines.add(2, lines.get(0).replace("{", "{\"canonicalization\":\"jcs\","));
    Files.write(session.log(), lines);

    VerificationReport report = verify(session);

    assertThat(report.canonicalization()).isEqualTo(Canonicalization.SERDE);
    assertThat(report.count(Counter.PARAMS_HASHES_VERIFIED)).isEqualTo(1);
    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.HEADER_NOT_FIRST);
  }

  @Test
  void lines_are_not_checked_against_an_unknown_form() throws IOException {
    Session session = record(Dialect.EVENT, Canonicalization.JCS).withReceipt(null);
    alter(session, "\"jcs\"", "\"cbor\"");

    assertThat(verify(session).findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.UNSUPPORTED_CANONICALIZATION);
  }

  @Test
  void only_some_of_a_large_log_is_explained() throws IOException {
    Session session = record(Dialect.EVENT, Canonicalization.SERDE);
    String wrong = CanonicalJson.JCS.hash(JsonObject.of("n", 1.0)).toString();
    String call = "{\"event\":\"ToolCall\",\"id\":\"x\",\"params\":{\"n\":1.0},\"params_hash\":\""
        + wrong + "\",\"pad\":\"%s\",\"step_id\":\"x\",\"t\":\"2026-01-01T00:00:00Z\","
        + "\"tool\":\"t\"}\n";
    List<String> lines = Files.readAllLines(session.log());
    Files.writeString(
        session.log(),
        lines.get(0) + "\n" + call.formatted("p".repeat(900_000))
            + call.formatted("p".repeat(200_000)) + call.formatted(""));

    assertThat(verify(session.withReceipt(null)).findings().stream()
            .filter(finding -> finding.code() == FindingCode.PARAMS_HASH_MISMATCH)
            .map(finding -> finding.hint() != null))
        .containsExactly(true, false, true);
  }

  private Session record(Dialect dialect, Canonicalization canonicalization) throws IOException {
    try (SessionRecorder recorder = recorder(dialect, canonicalization)) {
      recorder.call("t", VALUE).result(VALUE);
      recorder.end(Status.SUCCESS, 1);
    }
    return Session.open(directory.resolve("s"));
  }

  private Session recordSideEffect(Canonicalization canonicalization, JsonObject effect)
      throws IOException {
    try (SessionRecorder recorder = recorder(Dialect.EVENT, canonicalization)) {
      PendingCall call = recorder.call("t", VALUE);
      recorder.emit(ToolResult.of(call.id(), VALUE)
          .withLatencyMillis(1L)
          .withSideEffects(List.of(new SideEffect(effect))));
      recorder.end(Status.SUCCESS, 1);
    }
    return Session.open(directory.resolve("s"));
  }

  private SessionRecorder recorder(Dialect dialect, Canonicalization canonicalization)
      throws IOException {
    return SessionRecorder.start(
        directory.resolve("s"),
        SessionStart.of("s"),
        RecorderOptions.defaults()
            .withCanonicalization(canonicalization)
            .withWriter(WriterOptions.defaults().withDialect(dialect)));
  }

  private static VerificationReport verify(Session session) throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(session);
  }

  private static void alter(Session session, String from, String to) throws IOException {
    String log = Files.readString(session.log());
    assertThat(log).contains(from);
    int at = log.indexOf(from);
    Files.writeString(session.log(), log.substring(0, at) + to + log.substring(at + from.length()));
  }

  private static Finding only(VerificationReport report, FindingCode code) {
    List<Finding> found =
        report.findings().stream().filter(finding -> finding.code() == code).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }
}
