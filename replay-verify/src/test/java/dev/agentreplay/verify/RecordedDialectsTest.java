package dev.agentreplay.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.ReceiptAccumulator;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions that are recorded in each dialect verify, and what is altered in them is found. */
class RecordedDialectsTest {

  @TempDir
  Path directory;

  private SessionReceipt record(Dialect dialect) throws IOException {
    RecorderOptions options =
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withDialect(dialect));
    SessionStart start = SessionStart.of("s-1").withPolicy(PolicyId.bundle("p-1"));
    try (SessionRecorder recorder = SessionRecorder.start(directory, start, options)) {
      recorder.call("read", JsonObject.of("path", "a")).result("text");
      recorder.emit(ModelCall.of("m", "gpt", Prompt.of("hello")));
      recorder.emit(ModelResult.of("m", "hi"));
      return recorder.end(Status.SUCCESS, 0.5);
    }
  }

  private VerificationReport verify() throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
  }

  private void alter(String file, String from, String to) throws IOException {
    Path path = directory.resolve(file);
    String text = Files.readString(path, UTF_8);
    assertThat(text).contains(from);
    Files.writeString(path, text.replace(from, to), UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void recorded_session_is_valid_and_its_receipt_names_it(Dialect dialect) throws IOException {
    SessionReceipt receipt = record(dialect);

    VerificationReport report = verify();

    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.dialect()).isEqualTo(dialect);
    assertThat(receipt.sessionId()).isEqualTo("s-1");
    assertThat(receipt.policyBundleId()).isEqualTo("p-1");
    assertThat(receipt.startedAt()).isNotNull();
    assertThat(receipt.completedAt()).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void receipt_of_another_policy_or_session_does_not_fit(Dialect dialect) throws IOException {
    record(dialect);
    alter("RECEIPT.json", "\"p-1\"", "\"p-2\"");
    alter("RECEIPT.json", "\"s-1\"", "\"s-2\"");

    assertThat(verify().findingCounts()).containsEntry(FindingCode.RECEIPT_FIELD_MISMATCH, 2L);
  }

  @Test
  void policy_that_only_the_receipt_of_a_draft_names_does_not_fit() throws IOException {
    record(Dialect.DRAFT);
    alter("REPLAY.jsonl", "\"policy_bundle_id\":\"p-1\",", "");

    assertThat(verify().findingCounts()).containsKey(FindingCode.RECEIPT_FIELD_MISMATCH);
  }

  @Test
  void prompt_and_answer_that_do_not_have_their_hashes_are_found() throws IOException {
    record(Dialect.EVENT);
    alter("REPLAY.jsonl", "hello", "hullo");
    alter("REPLAY.jsonl", "\"answer\":\"hi\"", "\"answer\":\"ho\"");

    assertThat(verify().findingCounts()).containsEntry(FindingCode.PAYLOAD_HASH_MISMATCH, 2L);
  }

  @Test
  void receipt_of_a_draft_without_latencies_verifies() throws IOException {
    record(Dialect.DRAFT);
    Path log = directory.resolve(Session.LOG_NAME);
    Files.writeString(
        log, Files.readString(log, UTF_8).replaceAll("\"latency_ms\":\\d+,", ""), UTF_8);
    ReceiptAccumulator builder = new ReceiptAccumulator();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line : reader) {
        builder.add(line.event());
      }
    }
    ReceiptFile.replace(
        directory.resolve(Session.RECEIPT_NAME),
        builder.toSessionReceipt(Session.open(directory).replayHash()));

    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void sum_of_latencies_with_a_fraction_is_not_compared() throws IOException {
    record(Dialect.TYPE);
    Files.delete(directory.resolve(Session.RECEIPT_NAME));
    Path log = directory.resolve(Session.LOG_NAME);
    Files.writeString(
        log,
        Files.readString(log, UTF_8)
            .replaceAll("\"latency_ms\":\\d+", "\"latency_ms\":12.5")
            .replaceAll("\"total_latency_ms\":\\d+", "\"total_latency_ms\":13"),
        UTF_8);

    VerificationReport report = verify();

    assertThat(Files.readString(log, UTF_8)).contains("\"latency_ms\":12.5");
    assertThat(report.findings()).isEmpty();
  }
}
