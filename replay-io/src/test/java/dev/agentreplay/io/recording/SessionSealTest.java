package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.io.file.DiskCall;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Receipts that are signed while recording. */
@ExtendWith(QuietLogger.class)
class SessionSealTest {

  private final HashingSigner signer = new HashingSigner();

  @TempDir
  private Path root;

  private Path directory;

  @BeforeEach
  void resolve() {
    directory = root.resolve("s");
  }

  @Test
  void receipt_has_tree_and_signature_and_an_envelope_around_both_files() throws IOException {
    SessionReceipt receipt = record(FailurePolicy.FAIL);
    Session session = Session.open(directory);
    assertThat(receipt.tree()).isNotNull();
    assertThat(receipt.signature()).isInstanceOf(JsonString.class);
    assertThat(json(Session.RECEIPT_NAME).get("signature")).isEqualTo(receipt.signature());
    Statement statement = Statement.in(DsseEnvelope.fromJson(json(Session.ENVELOPE_NAME)));
    assertThat(statement.predicate()).isEqualTo(json(Session.RECEIPT_NAME));
    assertThat(statement.subject())
        .containsExactly(
            new Statement.Subject("REPLAY.jsonl", session.replayHash()),
            new Statement.Subject(
                "RECEIPT.json",
                ContentHash.sha256(Files.readAllBytes(directory.resolve("RECEIPT.json")))));
    assertThat(session.envelope()).isEqualTo(directory.resolve("RECEIPT.dsse.json"));
  }

  @Test
  void key_that_is_away_keeps_the_session_open_for_another_try() throws IOException {
    try (SessionRecorder recorder = start(FailurePolicy.FAIL)) {
      signer.setAway(true);
      assertThatThrownBy(() -> recorder.end(Status.SUCCESS, 1.0))
          .isInstanceOf(IOException.class)
          .hasMessage("the device is away");
      assertThat(directory.resolve(Session.RECEIPT_NAME)).doesNotExist();
      signer.setAway(false);
      recorder.end(Status.SUCCESS, 1.0);
    }
    assertThat(Session.open(directory).envelope()).isNotNull();
  }

  @Test
  void missing_key_costs_only_the_signature() throws IOException {
    try (SessionRecorder recorder = start(FailurePolicy.DEGRADE)) {
      signer.setAway(true);
      SessionReceipt receipt = recorder.end(Status.SUCCESS, 1.0);
      assertThat(receipt.signature()).isNull();
      assertThat(recorder.lastFailure()).hasMessage("the device is away");
    }
    assertThat(directory.resolve(Session.RECEIPT_NAME)).exists();
    assertThat(directory.resolve(Session.ENVELOPE_NAME)).doesNotExist();
  }

  @Test
  void envelope_that_could_not_be_written_is_written_by_the_next_try() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(root);
    try (SessionRecorder recorder =
        SessionRecorder.start(disk, root, SessionStart.of("s"), options(FailurePolicy.FAIL))) {
      AtomicInteger created = new AtomicInteger();
      disk.inject(
          (number, call, file) -> // the second file, after the receipt
          call == DiskCall.CREATE && created.incrementAndGet() == 2
                  ? DiskFault.FAIL_BEFORE
                  : DiskFault.NONE);
      assertThatThrownBy(() -> recorder.end(Status.SUCCESS, 1.0)).isInstanceOf(IOException.class);
      assertThat(disk.names()).contains(Session.RECEIPT_NAME).doesNotContain(Session.ENVELOPE_NAME);
      disk.inject((number, call, file) -> DiskFault.NONE);
      recorder.end(Status.SUCCESS, 1.0);
    }
    assertThat(disk.names()).contains(Session.RECEIPT_NAME, Session.ENVELOPE_NAME);
  }

  @Test
  void signer_that_fails_otherwise_is_a_failure_to_write() throws IOException {
    try (SessionRecorder recorder = start(FailurePolicy.DEGRADE)) {
      signer.setBroken();
      assertThat(recorder.end(Status.SUCCESS, 1.0).signature()).isNull();
      assertThat(recorder.lastFailure())
          .hasMessageContaining("the receipt cannot be signed")
          .hasCauseInstanceOf(IllegalStateException.class);
    }
    assertThat(directory.resolve(Session.RECEIPT_NAME)).exists();
  }

  @Test
  void session_with_an_envelope_is_not_begun_or_resumed() throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(Session.ENVELOPE_NAME), "{}");
    assertThatThrownBy(() -> start(FailurePolicy.FAIL).close())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(Session.ENVELOPE_NAME);
  }

  private SessionReceipt record(FailurePolicy policy) throws IOException {
    try (SessionRecorder recorder = start(policy)) {
      recorder.call("read", JsonObject.of("n", 1)).result("x");
      return recorder.end(Status.SUCCESS, 1.0);
    }
  }

  private SessionRecorder start(FailurePolicy policy) throws IOException {
    return SessionRecorder.start(directory, SessionStart.of("s"), options(policy));
  }

  private RecorderOptions options(FailurePolicy policy) {
    return RecorderOptions.defaults()
        .withFailurePolicy(policy)
        .withWriter(WriterOptions.defaults()
            .withEvidence(TamperEvidenceOptions.defaults().withSigner(signer)));
  }

  private JsonObject json(String name) throws IOException {
    return JsonText.parse(Files.readAllBytes(directory.resolve(name))).asObject();
  }
}
