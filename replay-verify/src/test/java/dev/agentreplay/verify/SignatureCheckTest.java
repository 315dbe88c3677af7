package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures of the receipt, of checkpoints, and of the envelope. */
class SignatureCheckTest {

  private static final Ed25519Signer SIGNER = Ed25519Signer.generate();
  private static final Ed25519Signer STRANGER = Ed25519Signer.generate();
  private static final VerifyPolicy TRUSTING = trusting(SIGNER);

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(Canonicalization.class)
  void session_that_was_recorded_with_a_key_is_signed_in_every_line(Canonicalization profile)
      throws IOException {
    Session session = record("s", 0, SIGNER, profile);
    VerificationReport report = verify(session, TRUSTING);
    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.SIGNATURES_VERIFIED)).isEqualTo(3);
    assertThat(report.count(Counter.LINES_SIGNED)).isEqualTo(report.count(Counter.EVENTS));
  }

  @Test
  void either_signature_will_do() throws IOException {
    Session session = record("s", 0, SIGNER, Canonicalization.SERDE);
    assertThat(verify(session.withEnvelope(null), TRUSTING).verdict()).isEqualTo(Verdict.VALID);
    rewrite(session, receipt().without("signature"));
    assertThat(codes(verify(session, TRUSTING))).containsExactly(FindingCode.SIGNATURE_INVALID);
    // of the bytes with the signature; signing again covers those without it
    SessionSigner.sign(session, STRANGER);
    assertThat(codes(verify(Session.open(directory.resolve("s")), TRUSTING)))
        .containsOnly(FindingCode.SIGNATURE_UNVERIFIABLE);
  }

  @Test
  void session_can_be_signed_later_and_again() throws IOException {
    Session session = record("s", 0, null, Canonicalization.SERDE);
    assertThat(session.envelope()).isNull();
    assertThat(verify(session, TRUSTING).unmet()).containsExactly(Requirement.SIGNATURE);
    SessionSigner.sign(session, STRANGER);
    SessionSigner.sign(session, SIGNER);
    Session signed = Session.open(directory.resolve("s"));
    assertThat(verify(signed, TRUSTING).verdict()).isEqualTo(Verdict.VALID);
    assertThat(verify(signed, TRUSTING).count(Counter.SIGNATURES_VERIFIED)).isEqualTo(3);
  }

  @Test
  void signature_of_a_stranger_proves_nothing() throws IOException {
    Session session = record("s", 0, STRANGER, Canonicalization.SERDE);
    VerificationReport report = verify(session, TRUSTING);
    assertThat(codes(report))
        .containsExactly(
            FindingCode.SIGNATURE_UNVERIFIABLE,
            FindingCode.SIGNATURE_UNVERIFIABLE,
            FindingCode.SIGNATURE_UNVERIFIABLE);
    assertThat(report.findings()).allSatisfy(finding -> assertThat(finding.message())
        .contains(STRANGER.keyId(), "not trusted"));
    assertThat(report.count(Counter.SIGNATURES_UNVERIFIABLE)).isEqualTo(3);
    assertThat(report.count(Counter.LINES_SIGNED)).isZero();
    assertThat(report.verdict()).isEqualTo(Verdict.UNVERIFIED);
    assertThat(verify(session, VerifyPolicy.defaults()).verdict()).isEqualTo(Verdict.VALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"secp256k1_schnorr:02ab:cdef\"",
        "\"secp256k1_schnorr:key:AAAA\"",
        "{\"scheme\":\"secp256k1_schnorr\",\"value\":\"00\"}",
        "\"\""
      })
  void signature_of_a_different_form_is_reported_and_never_valid(String signature)
      throws IOException {
    Session session = record("s", 0, SIGNER, Canonicalization.SERDE).withEnvelope(null);
    rewrite(session, receipt().with("signature", JsonText.parse(signature)));
    VerificationReport report = verify(session, TRUSTING);
    assertThat(codes(report)).containsExactly(FindingCode.SIGNATURE_UNVERIFIABLE);
    if (signature.contains("schnorr")) {
      assertThat(report.findings().get(0).message()).contains("secp256k1_schnorr");
    }
    assertThat(report.verdict()).isEqualTo(Verdict.UNVERIFIED);
  }

  @Test
  void signature_that_does_not_fit_is_invalid_even_if_none_is_required() throws IOException {
    Session session = record("s", 0, SIGNER, Canonicalization.SERDE).withEnvelope(null);
    rewrite(session, receipt().with("final_confidence", JsonValue.of(0.5)).with("note", "x"));
    VerificationReport report = verify(session, VerifyPolicy.defaults().withKeys(keys(SIGNER)));
    assertThat(codes(report)).contains(FindingCode.SIGNATURE_INVALID);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void receipt_that_is_signed_but_says_nothing_of_the_lines_signs_none() throws IOException {
    Session session = record("s", 0, null, Canonicalization.SERDE);
    rewrite(session, receipt().without("tree_size", "tree_root", "replay_hash"));
    SessionSigner.sign(session, SIGNER);
    VerificationReport report = verify(session, TRUSTING);
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.SIGNATURES_VERIFIED)).isEqualTo(2); // and public checkpoint
    assertThat(report.unmet()).containsExactly(Requirement.SIGNATURE);
  }

  @Test
  void signed_checkpoints_sign_the_lines_up_to_them() throws IOException {
    Session session = record("s", 3, SIGNER, Canonicalization.SERDE).withReceipt(null);
    VerificationReport report = verify(session, TRUSTING);
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.CHECKPOINTS_VERIFIED)).isGreaterThan(1);
    assertThat(report.count(Counter.SIGNATURES_VERIFIED))
        .isEqualTo(report.count(Counter.CHECKPOINTS) + 1); // and public checkpoint
    assertThat(report.count(Counter.LINES_SIGNED))
        .isGreaterThan(3)
        .isLessThan(report.count(Counter.EVENTS));
    assertThat(report.unmet()).containsExactly(Requirement.SIGNATURE);

    String log = Files.readString(session.log());
    Files.writeString(session.log(), log.replaceFirst("ed25519:[0-9a-f]{64}:....", "$0AAAA"));
    assertThat(codes(verify(session, TRUSTING))).contains(FindingCode.SIGNATURE_INVALID);
  }

  @Test
  void envelope_of_a_different_file_is_invalid_with_any_signature() throws IOException {
    Session session = record("s", 0, SIGNER, Canonicalization.SERDE);
    Session other = record("t", 0, SIGNER, Canonicalization.SERDE);
    Path envelope = Objects.requireNonNull(session.envelope());
    byte[] own = Files.readAllBytes(envelope);

    Files.copy(
        Objects.requireNonNull(other.envelope()), envelope, StandardCopyOption.REPLACE_EXISTING);
    assertThat(messages(verify(session, TRUSTING)))
        .singleElement()
        .asString()
        .startsWith("the envelope does not match this session: REPLAY.jsonl has the hash")
        .endsWith("which it does not state: the file changed after it was signed, or the envelope"
            + " belongs to a different session");

    Files.write(envelope, own);
    Files.writeString(session.receipt(), Files.readString(session.receipt()).replace("\n", " \n"));
    assertThat(messages(verify(session, TRUSTING)))
        .singleElement()
        .asString()
        .contains("this session: RECEIPT.json has the hash");

    Statement checkpoint =
        Statement.ofCheckpoint(session.replayHash(), 1, TestLog.small().tree(1), null);
    Files.writeString(envelope, checkpoint.sign(SIGNER).toString());
    assertThat(messages(verify(session, TRUSTING)))
        .singleElement()
        .asString()
        .contains("its predicate type is https://agentreplay.dev/checkpoint/v1");

    Statement otherPredicate = Statement.ofReceipt(
        session.replayHash(),
        ContentHash.sha256(Files.readAllBytes(session.receipt())),
        JsonObject.of("a", 1));
    Files.writeString(envelope, otherPredicate.sign(SIGNER).toString());
    assertThat(messages(verify(session, TRUSTING)))
        .singleElement()
        .asString()
        .contains("its predicate is a different receipt");

    assertThat(codes(verify(session.withReceipt(null).withEnvelope(envelope), TRUSTING)))
        .contains(FindingCode.SIGNATURE_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{}", "{\"payload\":\"!\",\"payloadType\":\"x\"}"})
  void envelope_that_is_none_is_invalid(String text) throws IOException {
    Session session = record("s", 0, SIGNER, Canonicalization.SERDE);
    Files.writeString(Objects.requireNonNull(session.envelope()), text);
    assertThat(codes(verify(session, TRUSTING))).containsExactly(FindingCode.SIGNATURE_INVALID);
  }

  @Test
  void envelope_without_signatures_is_not_signed() throws IOException {
    Session session = record("s", 0, SIGNER, Canonicalization.SERDE);
    Path file = Objects.requireNonNull(session.envelope());
    DsseEnvelope envelope =
        DsseEnvelope.fromJson(JsonText.parse(Files.readAllBytes(file)).asObject());
    Files.writeString(
        file, new DsseEnvelope(envelope.payloadType(), envelope.payload(), List.of()).toString());
    assertThat(messages(verify(session, TRUSTING))).containsExactly("the envelope is not signed");
  }

  private Session record(
      String id, long checkpoints, Ed25519Signer signer, Canonicalization profile)
      throws IOException {
    Path session = directory.resolve(id);
    TamperEvidenceOptions evidence =
        TamperEvidenceOptions.defaults().withCheckpointInterval(checkpoints).withSigner(signer);
    RecorderOptions options = RecorderOptions.defaults()
        .withCanonicalization(profile)
        .withWriter(WriterOptions.defaults().withEvidence(evidence));
    try (SessionRecorder recorder = SessionRecorder.start(session, SessionStart.of(id), options)) {
      for (int i = 0; i < 4; i++) {
        recorder.call("read", JsonObject.of("n", i)).result(id + i);
      }
      recorder.end(Status.SUCCESS, 0.9);
    }
    return Session.open(session);
  }

  private JsonObject receipt() throws IOException {
    return JsonText.parse(Files.readAllBytes(directory.resolve("s/RECEIPT.json")))
        .asObject();
  }

  private static void rewrite(Session session, JsonObject receipt) throws IOException {
    Files.writeString(session.receipt(), JsonText.pretty(receipt) + "\n");
  }

  private static VerificationReport verify(Session session, VerifyPolicy policy)
      throws IOException {
    return SessionVerifier.of(policy).verify(session);
  }

  private static VerifyPolicy trusting(Ed25519Signer... signers) {
    return VerifyPolicy.defaults().requiringSignature(keys(signers));
  }

  private static Ed25519Verifier keys(Ed25519Signer... signers) {
    return Ed25519Verifier.of(
        Arrays.stream(signers).map(Ed25519Signer::publicKey).toList());
  }

  private static List<FindingCode> codes(VerificationReport report) {
    return report.findings().stream().map(Finding::code).toList();
  }

  private static List<String> messages(VerificationReport report) {
    return report.findings().stream().map(Finding::message).toList();
  }
}
