package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Envelopes that sign the session, and have something else in them or are spelled otherwise. */
class EnvelopeCheckTest {

  private static final VerifyPolicy TRUSTING =
      VerifyPolicy.defaults().requiringSignature(SealedSessions.TRUSTED);

  private static final String WRONG = Base64.getEncoder().encodeToString(new byte[] {1, 2, 3});

  @TempDir
  private Path directory;

  private Session session;
  private Path envelope;
  private String written;
  private JsonObject json;
  private JsonObject signature;

  @BeforeEach
  void record() throws IOException {
    TamperEvidenceOptions signed =
        TamperEvidenceOptions.defaults().withSigner(SealedSessions.SIGNER);
    try (SessionRecorder recorder = SealedSessions.small(directory.resolve("s"), signed)) {
      recorder.end(Status.SUCCESS, 0.9);
    }
    session = Session.open(directory.resolve("s"));
    envelope = Objects.requireNonNull(session.envelope());
    written = Files.readString(envelope);
    json = JsonText.parse(written).asObject();
    signature = json.at("/signatures/0").asObject();
  }

  @Test
  void envelope_as_it_was_written_has_no_finding_with_or_without_its_line_feed()
      throws IOException {
    assertThat(verify(written).findings()).isEmpty();
    assertThat(verify(written.strip()).findings()).isEmpty();
  }

  @Test
  void members_that_nothing_signs_are_named() throws IOException {
    assertSaid(
        json.with("evil", "unsigned text") + "\n",
        "the envelope is not as this library writes it: no signature covers its member /evil");
    JsonObject more = signature.with("x", 1).with("y", 2);
    assertSaid(
        json.with("b", 1)
                .with("a", 2)
                .with("c", 3)
                .with("d", 4)
                .with("signatures", JsonArray.of(more))
            + "\n",
        "the envelope is not as this library writes it: no signature covers its members "
            + "/b, /a, /c, /d, /signatures/0/x and 1 more");
  }

  @Test
  void other_spellings_are_reported() throws IOException {
    String spelled = "the envelope is not as this library writes it:"
        + " its white space, member order, escapes or Base64 differ from canonical form";
    assertSaid(JsonText.pretty(json) + "\n", spelled);
    assertSaid(written + "\n", spelled);
    assertSaid(written.replace("\"payload\":\"e", "\"payload\":\"\\u0065"), spelled);
    JsonObject ordered = JsonObject.of(
        "signatures", json.get("signatures"),
        "payload", json.get("payload"),
        "payloadType", json.get("payloadType"));
    assertSaid(ordered + "\n", spelled);
    byte[] value = Base64.getDecoder().decode(signature.at("/sig").asString());
    String urlSafe = Base64.getUrlEncoder().encodeToString(value);
    assertThat(urlSafe).isNotEqualTo(signature.at("/sig").asString());
    assertSaid(
        json.with("signatures", JsonArray.of(signature.with("sig", urlSafe))) + "\n", spelled);
  }

  @Test
  void wrong_signature_of_the_trusted_key_next_to_the_right_one_is_reported() throws IOException {
    JsonObject wrong = signature.with("sig", WRONG);
    String said = "names the key %s, but was not made with it".formatted(key());
    assertSaid(signatures(wrong, signature), notCanonical("signature 1 " + said));
    assertSaid(signatures(signature, wrong), notCanonical("signature 2 " + said));
    assertSaid(signatures(signature, signature), notCanonical("signature 2 repeats signature 1"));
  }

  @Test
  void signature_of_an_untrusted_key_next_to_the_right_one_is_reported_and_fails_nothing()
      throws IOException {
    VerificationReport report =
        verify(signatures(signature, JsonObject.of("keyid", "other", "sig", WRONG)));
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.findings())
        .containsExactly(new Finding(
            FindingCode.SIGNATURE_UNVERIFIABLE,
            null,
            "signature 2 of the envelope names the key other, which is not trusted"));
    assertThat(report.signers()).containsExactly(key());
  }

  @Test
  void signature_without_keyid_is_tried_with_the_trusted_keys() throws IOException {
    VerificationReport report = verify(signatures(signature.without("keyid")));
    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.signers()).containsExactly(key());
  }

  @Test
  void signature_that_names_a_different_key_is_tried_with_the_trusted_ones_and_that_is_reported()
      throws IOException {
    assertSaid(
        signatures(signature.with("keyid", "sha256:other")),
        notCanonical("signature 1 names the key sha256:other, but was made with the key " + key()));
  }

  @Test
  void signature_without_keyid_of_an_unknown_key_is_reported_in_whole_words() throws IOException {
    write(signatures(signature.without("keyid")));
    VerifyPolicy policy = VerifyPolicy.defaults()
        .requiringSignature(Ed25519Verifier.of(Set.of(SealedSessions.STRANGER.publicKey())));
    assertThat(SessionVerifier.of(policy).verify(session).findings())
        .extracting(Finding::message)
        .contains("the envelope is signed, but not with a trusted key; it does not name the key");
  }

  @Test
  void envelope_with_too_many_signatures_is_refused_unread() throws IOException {
    JsonArray many = JsonArray.copyOf(Collections.nCopies(17, signature));
    VerificationReport report = verify(json.with("signatures", many) + "\n");
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findings()).singleElement().satisfies(finding -> {
      assertThat(finding.code()).isEqualTo(FindingCode.SIGNATURE_INVALID);
      assertThat(finding.message())
          .endsWith("/signatures: must have at most 16 signatures (maxSignatures), found 17");
    });
  }

  /** Said, and valid; by a policy at which warnings fail, not valid. */
  private void assertSaid(String text, String message) throws IOException {
    VerificationReport report = verify(text);
    assertThat(report.findings())
        .containsExactly(new Finding(FindingCode.ENVELOPE_NOT_CANONICAL, null, message));
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(FindingCode.ENVELOPE_NOT_CANONICAL.severity()).isEqualTo(Severity.WARNING);
    VerifyPolicy strict = VerifyPolicy.strict().requiringSignature(SealedSessions.TRUSTED);
    assertThat(SessionVerifier.of(strict).verify(session).verdict()).isEqualTo(Verdict.INVALID);
  }

  private static String notCanonical(String difference) {
    return "the envelope is not as this library writes it: " + difference;
  }

  private String signatures(JsonObject... signatures) {
    return json.with("signatures", JsonArray.copyOf(List.of(signatures))) + "\n";
  }

  private static String key() {
    return SealedSessions.SIGNER.keyId();
  }

  private VerificationReport verify(String text) throws IOException {
    write(text);
    return SessionVerifier.of(TRUSTING).verify(session);
  }

  private void write(String text) throws IOException {
    Files.writeString(envelope, text);
  }
}
