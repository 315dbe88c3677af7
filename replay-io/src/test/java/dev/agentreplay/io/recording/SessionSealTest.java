package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublicTree;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.io.file.DiskCall;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"RECEIPT.dsse.json", "PUBLIC_CHECKPOINT.json"})
  void session_with_a_seal_is_not_begun(String name) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(name), "{}");
    assertThatThrownBy(() -> start(FailurePolicy.FAIL).close())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(name);
  }

  @Test
  void public_tree_of_a_salted_log_is_stated_and_signed() throws IOException {
    SessionReceipt receipt = record(FailurePolicy.FAIL);
    Session session = Session.open(directory);
    PublicTree tree = publicTree(session);

    assertThat(receipt.extra())
        .isEqualTo(receipt
            .extra()
            .with("public_root", tree.head().root().toString())
            .with("public_form", "replay.public/1"));
    PublicCheckpoint checkpoint = PublicCheckpoint.fromJson(json(Session.PUBLIC_CHECKPOINT_NAME));
    assertThat(checkpoint.tree()).isEqualTo(tree.head());
    assertThat(checkpoint.original()).isEqualTo(tree.original());
    assertThat(checkpoint.envelope().signatures()).hasSize(1);
    assertThat(session.publicCheckpoint()).isEqualTo(directory.resolve("PUBLIC_CHECKPOINT.json"));
  }

  @Test
  void public_tree_of_a_resumed_log_in_segments_is_that_of_all_lines() throws IOException {
    RecorderOptions options = options(FailurePolicy.FAIL);
    options = options.withWriter(options.writer().withMaxSegmentBytes(400));
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      recorder.call("read", JsonObject.of("n", 1)).result("x");
    }
    try (SessionRecorder recorder = SessionRecorder.resume(directory, options)) {
      recorder.call("read", JsonObject.of("n", 2)).result("y");
      recorder.end(Status.SUCCESS, 1.0);
    }
    Session session = Session.open(directory);

    assertThat(session.segments()).hasSizeGreaterThan(1);
    assertThat(PublicCheckpoint.fromJson(json(Session.PUBLIC_CHECKPOINT_NAME)).tree())
        .isEqualTo(publicTree(session).head());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void log_without_a_key_or_a_salt_has_no_public_tree(boolean isSigned) throws IOException {
    RecorderOptions options =
        isSigned ? options(FailurePolicy.FAIL).withSalted(false) : RecorderOptions.defaults();
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      assertThat(recorder.end(Status.SUCCESS, 1.0).extra().names())
          .noneMatch(name -> name.startsWith("public"));
    }
    assertThat(Session.open(directory).publicCheckpoint()).isNull();
  }

  @Test
  void public_checkpoint_that_could_not_be_written_is_written_by_the_next_try() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(root);
    try (SessionRecorder recorder =
        SessionRecorder.start(disk, root, SessionStart.of("s"), options(FailurePolicy.FAIL))) {
      AtomicInteger created = new AtomicInteger();
      disk.inject(
          (number, call, file) -> // the third file, after receipt and envelope
          call == DiskCall.CREATE && created.incrementAndGet() == 3
                  ? DiskFault.FAIL_BEFORE
                  : DiskFault.NONE);
      assertThatThrownBy(() -> recorder.end(Status.SUCCESS, 1.0)).isInstanceOf(IOException.class);
      assertThat(disk.names())
          .contains(Session.ENVELOPE_NAME)
          .doesNotContain(Session.PUBLIC_CHECKPOINT_NAME);
      byte[] receipt = disk.content(root.resolve(Session.RECEIPT_NAME));
      disk.inject((number, call, file) -> DiskFault.NONE);
      recorder.end(Status.SUCCESS, 1.0);
      assertThat(disk.content(root.resolve(Session.RECEIPT_NAME))).isEqualTo(receipt);
    }
    assertThat(disk.names()).contains(Session.PUBLIC_CHECKPOINT_NAME);
  }

  @ParameterizedTest
  @EnumSource(FailurePolicy.class)
  void log_that_was_altered_while_it_was_recorded_is_not_signed(FailurePolicy policy)
      throws IOException {
    Path log = directory.resolve(Session.LOG_NAME);
    try (SessionRecorder recorder = start(policy)) {
      recorder.call("read", JsonObject.of("n", 1)).result("x");
      Files.writeString(log, Files.readString(log).replace("\"output\":\"x\"", "\"output\":\"y\""));
      if (policy == FailurePolicy.FAIL) {
        assertThatThrownBy(() -> recorder.end(Status.SUCCESS, 1.0))
            .hasMessage(log + ": differs from the lines that were written");
        assertThat(directory.resolve(Session.RECEIPT_NAME)).doesNotExist();
      } else {
        assertThat(recorder.end(Status.SUCCESS, 1.0).signature()).isNull();
        assertThat(recorder.lastFailure()).hasMessageContaining("differs from the lines");
        assertThat(directory.resolve(Session.RECEIPT_NAME)).exists();
      }
    }
    assertThat(directory.resolve(Session.PUBLIC_CHECKPOINT_NAME)).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"RECEIPT.dsse.json", "PUBLIC_CHECKPOINT.json"})
  void sealed_session_is_not_resumed(String name) throws IOException {
    start(FailurePolicy.FAIL).close();
    Files.writeString(directory.resolve(name), "{}");

    assertThatThrownBy(
            () -> SessionRecorder.resume(directory, options(FailurePolicy.FAIL)).close())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("delete RECEIPT.json, RECEIPT.dsse.json, PUBLIC_CHECKPOINT.json");
  }

  private static PublicTree publicTree(Session session) throws IOException {
    PublicTree tree = null;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof ReplayHeader header) {
          tree = new PublicTree(PublicForm.DEFAULT, Objects.requireNonNull(header.salt()));
        }
        tree.add(line.bytes(), line.json(), CanonicalJson.SERDE);
      }
    }
    return tree;
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
