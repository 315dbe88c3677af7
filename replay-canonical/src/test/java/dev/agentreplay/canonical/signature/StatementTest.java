package dev.agentreplay.canonical.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementTest {

  private static final ContentHash LOG = ContentHash.sha256(new byte[] {1});
  private static final ContentHash FILE = ContentHash.sha256(new byte[] {2});
  private static final Statement RECEIPT =
      Statement.ofReceipt(LOG, FILE, JsonObject.of("session_id", "s", "final_confidence", 1.0));

  @Test
  void statement_of_a_receipt_names_log_and_receipt() {
    assertThat(CanonicalJson.SERDE.text(RECEIPT.toJson()))
        .isEqualTo(
            """
            {"_type":"https://in-toto.io/Statement/v1",\
            "predicate":{"final_confidence":1.0,"session_id":"s"},\
            "predicateType":"https://agentreplay.dev/receipt/v1",\
            "subject":[{"digest":{"sha256":"%s"},"name":"REPLAY.jsonl"},\
            {"digest":{"sha256":"%s"},"name":"RECEIPT.json"}]}"""
                .formatted(LOG.hex(), FILE.hex()));
  }

  @Test
  void statement_of_a_checkpoint_says_how_far_the_log_went() {
    assertThat(Statement.ofCheckpoint(LOG, 120, new TreeHead(3, FILE), "s")
            .toJson()
            .toString())
        .isEqualTo(
            """
            {"_type":"https://in-toto.io/Statement/v1",\
            "predicate":{"bytes":120,"session_id":"s","tree_root":"%s","tree_size":3},\
            "predicateType":"https://agentreplay.dev/checkpoint/v1",\
            "subject":[{"digest":{"sha256":"%s"},"name":"REPLAY.jsonl"}]}"""
                .formatted(FILE, LOG.hex()));
    assertThat(Statement.ofCheckpoint(LOG, 0, new TreeHead(0, FILE), null)
            .predicate()
            .toString())
        .contains("\"session_id\":null");
  }

  @Test
  void statement_in_an_envelope_is_canonical_signed_and_reads_back_as_the_same()
      throws IOException {
    Ed25519Signer signer = Ed25519Signer.generate();
    DsseEnvelope envelope = RECEIPT.sign(signer);

    assertThat(envelope.payloadType()).isEqualTo("application/vnd.in-toto+json");
    assertThat(CanonicalJson.SERDE.isCanonical(envelope.payload())).isTrue();
    assertThat(envelope.verify(Ed25519Verifier.of(Set.of(signer.publicKey()))))
        .isEqualTo(Outcome.VALID);
    assertThat(Statement.in(envelope)).isEqualTo(RECEIPT);
  }

  @Test
  void other_payload_is_refused() {
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> Statement.in(new DsseEnvelope("text/plain", new byte[0], List.of())))
        .withMessage("the payload type must be application/vnd.in-toto+json, found text/plain");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> Statement.in(envelope("[]")))
        .withMessage("expected a JSON object, found a JSON array");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> Statement.in(envelope("{\"_type\":1,\"_type\":1}")))
        .withCauseInstanceOf(JsonSyntaxException.class);
  }

  private static DsseEnvelope envelope(String payload) {
    return new DsseEnvelope(Statement.PAYLOAD_TYPE, payload.getBytes(UTF_8), List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_type | \"https://in-toto.io/Statement/v0.1\" | /_type: must be"
            + " \"https://in-toto.io/Statement/v1\", found \"https://in-toto.io/Statement/v0.1\"",
        "predicateType | null | /predicateType: must be a string, found null",
        "predicate | 1 | /predicate: must be an object, found 1",
        "subject | {} | /subject: must be an array, found {}",
        "subject | [] | /subject: must have a subject, found none",
        "subject | [1] | /subject/0: must be an object, found 1",
        "subject | [{\"name\":\"a\"}] | /subject/0/digest: must be an object, found nothing",
        "subject | [{\"name\":\"a\",\"digest\":{\"sha512\":\"\"}}] | /subject/0/digest/sha256:"
            + " must be a string, found nothing",
        "subject | [{\"name\":\"a\",\"digest\":{\"sha256\":\"0\"}}] | /subject/0/digest/sha256:"
            + " must be 64 lower-case hexadecimal digits, found \"0\"",
      })
  void member_that_is_not_as_it_should_be_is_refused(String name, String value, String message) {
    JsonObject altered = RECEIPT.toJson().with(name, JsonText.parse(value));
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> Statement.fromJson(altered))
        .withMessage(message);
  }

  @Test
  void subject_without_a_name_is_refused() {
    JsonObject subject = RECEIPT.toJson().at("/subject/0").asObject().without("name");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(
            () -> Statement.fromJson(RECEIPT.toJson().with("subject", JsonArray.of(subject))))
        .withMessage("/subject/0/name: must be a string, found nothing");
  }

  @Test
  void member_that_is_not_known_is_ignored_and_a_predicate_may_be_missing()
      throws DocumentFormatException {
    assertThat(Statement.fromJson(RECEIPT.toJson().with("x", 1))).isEqualTo(RECEIPT);
    assertThat(Statement.fromJson(RECEIPT.toJson().without("predicate")))
        .isEqualTo(new Statement(RECEIPT.subject(), Statement.RECEIPT, JsonObject.EMPTY));
  }
}
