package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.verify.batch.BatchResult;
import dev.agentreplay.verify.batch.BatchVerifier;
import dev.agentreplay.verify.proof.LogProver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log with a line that is longer than a log may have by default. */
class LongLineTest {

  private static final ReaderOptions RAISED = ReaderOptions.defaults().withMaxLineBytes(20 << 20);

  @TempDir
  Path directory;

  private Session session;
  private Position longLine;

  @BeforeEach
  void write() throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      recorder.call("read", JsonObject.EMPTY).result("short");
      recorder.end(Status.SUCCESS, 1.0);
    }
    Files.delete(directory.resolve(Session.RECEIPT_NAME));
    Path log = directory.resolve(Session.LOG_NAME);
    JsonString output = JsonString.of("x".repeat(17 << 20));
    String text = Files.readString(log);
    longLine = new Position(4, text.indexOf("{\"event\":\"ToolResult\""));
    Files.writeString(
        log,
        text.replace("\"short\"", output.toString())
            .replace(
                CanonicalJson.SERDE.hash(JsonString.of("short")).toString(),
                CanonicalJson.SERDE.hash(output).toString()));
    session = Session.open(directory);
  }

  @Test
  void verifier_refuses_the_line_with_its_place_unless_the_limit_is_raised() throws IOException {
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());

    VerificationReport refused = verifier.verify(session);
    assertThat(refused.verdict()).isEqualTo(Verdict.UNREADABLE);
    assertThat(refused.findings())
        .filteredOn(finding -> finding.code() == FindingCode.MALFORMED_LINE)
        .extracting(Finding::position)
        .containsExactly(longLine);

    VerificationReport read = verifier.verify(session.withReaderOptions(RAISED));
    assertThat(read.findings()).isEmpty();
    assertThat(read.verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void batch_reads_the_line_when_the_limit_is_raised() {
    BatchVerifier batch = BatchVerifier.of(VerifyPolicy.defaults());

    assertThat(verdicts(batch)).containsExactly(Verdict.UNREADABLE);
    assertThat(verdicts(batch.withReaderOptions(RAISED).withThreads(1)))
        .containsExactly(Verdict.VALID);
  }

  @Test
  void checkpoint_is_made_of_the_log_when_the_limit_is_raised() throws IOException {
    assertThatThrownBy(() -> LogProver.open(session))
        .isInstanceOfSatisfying(
            ReplayFormatException.class, e -> assertThat(e.position()).isEqualTo(longLine));

    LogProver prover = LogProver.open(session.withReaderOptions(RAISED));
    assertThat(prover.inclusion(4, prover.size()).holds()).isTrue();
  }

  private List<Verdict> verdicts(BatchVerifier batch) {
    try (Stream<BatchResult> results = batch.verify(Sessions.find(directory))) {
      return results.map(BatchResult::verdict).toList();
    }
  }

  @Test
  void receipt_is_made_of_the_log_when_the_limit_is_raised() throws IOException {
    assertThatThrownBy(() -> Receipts.compute(session, Receipt.Form.SESSION))
        .isInstanceOfSatisfying(
            ReplayFormatException.class, e -> assertThat(e.position()).isEqualTo(longLine));
    SessionReceipt receipt =
        (SessionReceipt) Receipts.compute(session.withReaderOptions(RAISED), Receipt.Form.SESSION);
    assertThat(receipt.toolCalls()).hasSize(1);
  }
}
