package dev.agentreplay.verify.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.testkit.LogLines;
import dev.agentreplay.testkit.TestTrees;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checkpoints of a log in files, with signatures and without. */
class LogCheckpointTest {

  private static final Ed25519Signer KEY = Ed25519Signer.generate();
  private static final SignatureVerifier TRUSTED = Ed25519Verifier.of(List.of(KEY.publicKey()));
  private static final SignatureVerifier OTHERS =
      Ed25519Verifier.of(List.of(Ed25519Signer.generate().publicKey()));

  private static final String LOG = LogLines.HEADER
      + "\n{\"event\":\"SessionStart\",\"session_id\":\"one\"}\n"
      + LogLines.STEP
      + "\n";

  @TempDir
  Path directory;

  private LogProver proofs;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("c.json");
    Path log = Files.writeString(directory.resolve("log.jsonl"), LOG);
    proofs = LogProver.open(new Session(log, null));
  }

  @Test
  void unsigned_one_is_a_line_of_canonical_json() throws IOException {
    proofs.checkpoint().create(file);
    TreeHead tree = TestTrees.head(LOG.lines().map(LogLines::bytes).toList());
    assertThat(file)
        .hasContent("{\"bytes\":%d,\"schema\":\"replay.checkpoint/1\",\"session_id\":\"one\","
                .formatted(LOG.length())
            + "\"tree_root\":\"%s\",\"tree_size\":3}\n".formatted(tree.root()));
    LogCheckpoint read = LogCheckpoint.read(file);
    assertThat(read).isEqualTo(proofs.checkpoint()).hasSameHashCodeAs(proofs.checkpoint());
    assertThat(read.isSigned()).isFalse();
    assertThat(read.verify(TRUSTED)).isEqualTo(Outcome.UNKNOWN_KEY);
    assertThatThrownBy(() -> LogCheckpoint.read(file, TRUSTED))
        .hasMessage(file + ": the checkpoint is not signed");
  }

  @Test
  void signed_one_is_an_envelope_that_names_the_bytes_of_the_log() throws IOException {
    LogCheckpoint signed = proofs.checkpoint(KEY);
    signed.create(file);
    LogCheckpoint read = LogCheckpoint.read(file, TRUSTED);
    assertThat(read).isEqualTo(signed).isNotEqualTo(proofs.checkpoint());
    assertThat(read.tree()).isEqualTo(proofs.checkpoint().tree());
    assertThat(read.sessionId()).isEqualTo("one");
    assertThat(read.bytes()).isEqualTo(LOG.length());
    Statement statement = Statement.in(DsseEnvelope.fromJson(signed.toJson()));
    assertThat(statement.subject())
        .containsExactly(
            new Statement.Subject(Statement.LOG_NAME, ContentHash.sha256(LogLines.bytes(LOG))));
  }

  @Test
  void signed_one_is_refused_without_a_trusted_key_or_when_altered() throws IOException {
    proofs.checkpoint(KEY).create(file);
    assertThat(LogCheckpoint.read(file).isSigned()).isTrue();
    assertThat(LogCheckpoint.read(file).verify(OTHERS)).isEqualTo(Outcome.UNKNOWN_KEY);
    assertThatThrownBy(() -> LogCheckpoint.read(file, OTHERS))
        .hasMessage(file + ": the checkpoint is signed, but not with a trusted key");
    DsseEnvelope envelope = DsseEnvelope.fromJson(proofs.checkpoint(KEY).toJson());
    Statement statement = Statement.in(envelope);
    JsonObject altered = statement.predicate().with("tree_size", 2);
    byte[] payload = CanonicalJson.SERDE.bytes(
        new Statement(statement.subject(), Statement.CHECKPOINT, altered).toJson());
    DsseEnvelope forged = new DsseEnvelope(envelope.payloadType(), payload, envelope.signatures());
    Files.writeString(file, forged.toString());
    assertThat(LogCheckpoint.read(file).tree().size()).isEqualTo(2);
    assertThatThrownBy(() -> LogCheckpoint.read(file, TRUSTED))
        .hasMessage(file + ": the checkpoint is not what was signed");
  }

  @Test
  void log_without_a_session_id_and_without_lines_has_one_too() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty.jsonl"), "");
    LogCheckpoint checkpoint = LogProver.open(new Session(empty, null)).checkpoint(KEY);
    assertThat(checkpoint.sessionId()).isNull();
    checkpoint.create(file);
    assertThat(LogCheckpoint.read(file, TRUSTED)).isEqualTo(checkpoint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                    | is empty",
        "garbage                               | byte 0",
        "[]                                    | expected a JSON object",
        "{}                                    | /schema: must be \"replay.checkpoint/1\", found"
            + " nothing",
        "{\"schema\":\"replay.inclusion/1\"}   | found \"replay.inclusion/1\"",
        "{\"schema\":\"replay.checkpoint/1\"}  | /bytes: must be an integer of 64 bits from 0",
        "{\"payloadType\":\"x\"}               | /payload: must be a string",
      })
  void text_other_than_a_checkpoint_is_refused_with_the_reason(String text, String reason)
      throws IOException {
    Files.writeString(file, text);
    assertThatThrownBy(() -> LogCheckpoint.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": not a checkpoint: ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({"bytes, -1", "tree_size, -1", "tree_root, 7", "session_id, 7", "more, 1"})
  void member_that_is_wrong_or_not_known_is_refused(String member, int value) {
    JsonObject json = proofs.checkpoint().toJson().with(member, value);
    assertThatThrownBy(() -> LogCheckpoint.fromJson(json)).hasMessageContaining("/" + member);
  }

  @Test
  void statement_of_something_else_is_refused() throws IOException {
    ContentHash hash = ContentHash.sha256(new byte[0]);
    JsonObject receipt =
        Statement.ofReceipt(hash, hash, JsonObject.of("a", 1)).sign(KEY).toJson();
    assertThatThrownBy(() -> LogCheckpoint.fromJson(receipt))
        .hasMessage("expected a statement https://agentreplay.dev/checkpoint/v1,"
            + " found https://agentreplay.dev/receipt/v1");
  }

  @Test
  void files_that_are_none_are_refused() throws IOException {
    assertThatThrownBy(() -> LogCheckpoint.read(directory)).hasMessageEndingWith("is a directory");
    assertThatThrownBy(() -> LogCheckpoint.read(file)).isInstanceOf(NoSuchFileException.class);
    Files.write(file, new byte[(1 << 20) + 1]);
    assertThatThrownBy(() -> LogCheckpoint.read(file)).hasMessageContaining("more than 1048576");
  }

  @Test
  void file_that_is_there_is_replaced_only_on_request() throws IOException {
    proofs.checkpoint().create(file);
    LogCheckpoint signed = proofs.checkpoint(KEY);
    assertThatThrownBy(() -> signed.create(file)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(LogCheckpoint.read(file).isSigned()).isFalse();
    signed.replace(file);
    assertThat(LogCheckpoint.read(file, TRUSTED)).isEqualTo(signed);
    assertThat(JsonText.parse(Files.readString(file))).isEqualTo(signed.toJson());
  }
}
