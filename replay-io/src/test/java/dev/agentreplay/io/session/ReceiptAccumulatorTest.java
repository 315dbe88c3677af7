package dev.agentreplay.io.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Differential: the receipt made from a recorded log is the one that was recorded with it. */
class ReceiptAccumulatorTest {

  @TestFactory
  Stream<DynamicTest> receipts_of_bundled_sessions_are_made_again() {
    return tests(TestSessions.bundled());
  }

  @TestFactory
  Stream<DynamicTest> receipts_of_the_corpus_are_made_again() {
    return tests(TestSessions.corpusSessions());
  }

  @Test
  void result_of_no_call_is_not_in_the_receipt() {
    ReceiptAccumulator builder = new ReceiptAccumulator();
    builder.add(ToolResult.of("x", 1).withLatencyMillis(5L));
    builder.add(ToolCall.of("a", "t", JsonObject.EMPTY));

    assertThat(builder.toSessionReceipt(null).toolCalls()).isEmpty();
    TrajectoryReceipt receipt = trajectoryReceipt(builder);
    assertThat(receipt.metrics()).isEqualTo(new TrajectoryReceipt.Metrics(0L, 0L, null, 0L));
  }

  @Test
  void hash_of_a_value_that_the_log_holds_is_computed_else_as_stated() {
    ContentHash wrong = ContentHash.parse("sha256:" + "1".repeat(64));
    ReceiptAccumulator builder = new ReceiptAccumulator();
    builder.add(new ToolCall(
        "a", "t", new Content(JsonObject.EMPTY, wrong, null, null), null, Attempt.NONE, Meta.NONE));
    builder.add(new ToolResult(
        "a", Content.ofHash(wrong), Outcome.NONE, null, Timing.NONE, List.of(), Meta.NONE));
    Receipt.Call call = builder.toSessionReceipt(null).toolCalls().get(0);

    assertThat(call.paramsHash()).isEqualTo(ContentHash.sha256(TestLogs.bytes("{}")));
    assertThat(call.outputHash()).isEqualTo(wrong);
  }

  @Test
  void verifications_and_payments_are_summed_up() {
    ReceiptAccumulator builder = new ReceiptAccumulator();
    builder.add(Verification.of(CommandRun.of("a", 0), CommandRun.of("b", 1)));
    builder.add(new Payment(
        "lightning", null, 40L, JsonString.of("proof"), "job", Status.SUCCESS, Meta.NONE));
    builder.add(new Payment(null, null, 2L, null, null, null, Meta.NONE));
    TrajectoryReceipt receipt = trajectoryReceipt(builder);

    assertThat(receipt.metrics().verificationPassed()).isFalse();
    assertThat(receipt.metrics().paymentsMsats()).isEqualTo(42);
    assertThat(receipt.verifications())
        .isEqualTo(JsonArray.of(
            JsonObject.of("command", "a", "exit_code", 0),
            JsonObject.of("command", "b", "exit_code", 1)));
    assertThat(receipt.payments().get(0))
        .isEqualTo(JsonObject.of(
            "rail", "lightning",
            "amount_msats", 40,
            "payment_proof", "proof",
            "job_hash", "job",
            "status", "Success"));
    assertThat(receipt.payments().get(1)).isEqualTo(JsonObject.of("amount_msats", 2));
  }

  @Test
  void verification_passed_when_every_command_did() {
    ReceiptAccumulator builder = new ReceiptAccumulator();
    builder.add(Verification.of(CommandRun.of("a", 0), CommandRun.of("b", 0)));
    assertThat(passed(builder)).isTrue();
    builder.add(Verification.of(new CommandRun("killed", null, null, null)));
    assertThat(passed(builder)).isFalse();
  }

  @Test
  void receipt_of_no_events_is_empty() {
    ReceiptAccumulator builder = new ReceiptAccumulator();
    assertThat(builder.toSessionReceipt(null).toolCalls()).isEmpty();
    TrajectoryReceipt receipt = trajectoryReceipt(builder);
    assertThat(receipt.trajectoryHash()).isEqualTo(ContentHash.sha256(TestLogs.bytes("[]")));
    assertThat(receipt.eventCount()).isZero();
  }

  private static TrajectoryReceipt trajectoryReceipt(ReceiptAccumulator builder) {
    return (TrajectoryReceipt) builder.toReceipt(Receipt.Form.OPENAGENTS_V1, null, null);
  }

  private static Boolean passed(ReceiptAccumulator builder) {
    return trajectoryReceipt(builder).metrics().verificationPassed();
  }

  private static Stream<DynamicTest> tests(List<Path> sessions) {
    assertThat(sessions).isNotEmpty();
    return sessions.stream()
        .filter(session -> Files.exists(session.resolve(Session.RECEIPT_NAME)))
        .map(session ->
            DynamicTest.dynamicTest(session.getFileName().toString(), () -> compare(session)));
  }

  private static void compare(Path directory) throws IOException {
    Session session = Session.open(directory);
    JsonObject recorded = JsonText.parse(Files.readAllBytes(session.receipt())).asObject();
    Receipt stated = ReceiptCodec.decode(recorded).receipt();
    ReceiptAccumulator builder = new ReceiptAccumulator();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        builder.add(line.event(), line.json());
      }
    }
    JsonObject made;
    if (stated instanceof SessionReceipt receipt) {
      made = ReceiptCodec.encode(
          builder.toSessionReceipt(receipt.replayHash() == null ? null : session.replayHash()));
    } else {
      JsonObject timed = ReceiptCodec.encode(trajectoryReceipt(builder))
          .with("created_at", recorded.at("/created_at"));
      String digest = ReceiptCodec.digest(timed, CanonicalJson.SERDE).hex();
      made = timed.with("canonical_json_sha256", JsonString.of(digest));
    }
    assertThat(comparable(made)).isEqualTo(comparable(recorded));
  }

  /** Numbers as 32-bit floats, times as moments: producers spell them differently. */
  private static JsonValue comparable(JsonValue value) {
    if (value instanceof JsonObject object) {
      JsonObject.Builder builder = JsonObject.builder();
      object.forEach((name, member) -> builder.add(name, comparable(member)));
      return builder.build();
    }
    if (value instanceof JsonArray array) {
      return JsonArray.copyOf(
          array.stream().map(ReceiptAccumulatorTest::comparable).toList());
    }
    if (value instanceof JsonNumber number && !number.isIntegerLiteral()) {
      return JsonString.of("float " + (float) number.asDouble());
    }
    Timestamp time = value instanceof JsonString text ? Timestamp.tryParse(text.value()) : null;
    return time == null ? value : JsonString.of(time.instant().toString());
  }
}
