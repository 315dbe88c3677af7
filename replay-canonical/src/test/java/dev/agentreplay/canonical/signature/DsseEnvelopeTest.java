package dev.agentreplay.canonical.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.signature.DsseEnvelope.DsseSignature;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Attribution;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import java.io.IOException;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DsseEnvelopeTest {

  private static final Ed25519Signer SIGNER = Ed25519Signer.generate();
  private static final Ed25519Signer OTHER = Ed25519Signer.generate();
  private static final SignatureVerifier VERIFIER = Ed25519Verifier.of(Set.of(SIGNER.publicKey()));

  private static final String TYPE = "http://example.com/HelloWorld";
  private static final DsseEnvelope UNSIGNED =
      new DsseEnvelope(TYPE, "hello world".getBytes(UTF_8), List.of());

  /** The example of DSSE's protocol.md. */
  @Test
  void encoding_is_that_of_the_specification() {
    assertThat(new String(DsseEnvelope.pae(TYPE, "hello world".getBytes(UTF_8)), UTF_8))
        .isEqualTo("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  }

  @Test
  void encoding_counts_bytes_and_not_characters() {
    assertThat(new String(DsseEnvelope.pae("é", "€".getBytes(UTF_8)), UTF_8))
        .isEqualTo("DSSEv1 2 é 3 €");
    assertThat(DsseEnvelope.pae("", new byte[] {-1, 0}))
        .isEqualTo(new byte[] {'D', 'S', 'S', 'E', 'v', '1', ' ', '0', ' ', ' ', '2', ' ', -1, 0});
  }

  @Test
  void envelope_that_was_signed_is_valid_and_reads_back_as_the_same() throws IOException {
    DsseEnvelope envelope = UNSIGNED.sign(SIGNER);
    byte[] json = envelope.toString().getBytes(UTF_8);
    DsseEnvelope reread = DsseEnvelope.fromJson(JsonText.parse(json).asObject());

    assertThat(reread).isEqualTo(envelope).hasSameHashCodeAs(envelope);
    assertThat(reread.verify(VERIFIER)).isEqualTo(Outcome.VALID);
    assertThat(reread.payload()).isEqualTo("hello world".getBytes(UTF_8));
    assertThat(CanonicalJson.SERDE.isCanonical(json)).isTrue();
    assertThat(envelope.toJson().names()).containsExactly("payload", "payloadType", "signatures");
    assertThat(envelope.toJson().at("/signatures/0").asObject().names())
        .containsExactly("keyid", "sig");
  }

  @Test
  void several_signatures_are_worth_the_best_of_them() throws IOException {
    DsseSignature good = UNSIGNED.sign(SIGNER).signatures().get(0);
    DsseSignature bad = new DsseSignature(SIGNER.keyId(), "AAAA");
    DsseSignature foreign = UNSIGNED.sign(OTHER).signatures().get(0);

    assertThat(outcome()).isEqualTo(Outcome.UNKNOWN_KEY);
    assertThat(outcome(foreign)).isEqualTo(Outcome.UNKNOWN_KEY);
    assertThat(outcome(bad)).isEqualTo(Outcome.INVALID);
    assertThat(outcome(foreign, bad)).isEqualTo(Outcome.INVALID);
    assertThat(outcome(bad, foreign)).isEqualTo(Outcome.INVALID);
    assertThat(outcome(bad, foreign, good)).isEqualTo(Outcome.VALID);
    assertThat(outcome(good, bad)).isEqualTo(Outcome.VALID);
    assertThat(UNSIGNED.sign(OTHER).sign(SIGNER).signatures()).containsExactly(foreign, good);
  }

  private static Outcome outcome(DsseSignature... signatures) {
    return envelope(signatures).verify(VERIFIER);
  }

  private static List<Attribution> attribute(DsseSignature... signatures) {
    return envelope(signatures).attribute(VERIFIER);
  }

  private static DsseEnvelope envelope(DsseSignature... signatures) {
    return new DsseEnvelope(TYPE, UNSIGNED.payload(), List.of(signatures));
  }

  @Test
  void signature_that_names_no_key_is_tried_with_all_that_are_trusted() throws IOException {
    DsseSignature good = UNSIGNED.sign(SIGNER).signatures().get(0);
    DsseSignature foreign = UNSIGNED.sign(OTHER).signatures().get(0);
    assertThat(outcome(new DsseSignature("", good.sig()))).isEqualTo(Outcome.VALID);
    assertThat(outcome(new DsseSignature("", foreign.sig()))).isEqualTo(Outcome.UNKNOWN_KEY);
    assertThat(attribute(new DsseSignature("", good.sig())))
        .containsExactly(Attribution.to(SIGNER.keyId()));
  }

  @Test
  void signature_that_names_another_key_is_tried_with_the_others() throws IOException {
    DsseSignature good = UNSIGNED.sign(SIGNER).signatures().get(0);
    SignatureVerifier both = Ed25519Verifier.of(Set.of(SIGNER.publicKey(), OTHER.publicKey()));
    DsseSignature misnamed = new DsseSignature(OTHER.keyId(), good.sig());
    assertThat(outcome(misnamed)).isEqualTo(Outcome.VALID);
    assertThat(envelope(misnamed).attribute(both)).containsExactly(Attribution.to(SIGNER.keyId()));
    assertThat(outcome(new DsseSignature("sigstore", good.sig()))).isEqualTo(Outcome.VALID);
  }

  @Test
  void every_signature_is_attributed_in_its_place() throws IOException {
    DsseSignature good = UNSIGNED.sign(SIGNER).signatures().get(0);
    DsseSignature foreign = UNSIGNED.sign(OTHER).signatures().get(0);
    assertThat(attribute(new DsseSignature(SIGNER.keyId(), "AAAA"), good, foreign))
        .containsExactly(Attribution.INVALID, Attribution.to(SIGNER.keyId()), Attribution.UNKNOWN);
  }

  @Test
  void each_signature_is_verified_once() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    SignatureVerifier counting = (signature, message) -> {
      asked.incrementAndGet();
      return Outcome.VALID;
    };
    UNSIGNED.sign(SIGNER).sign(OTHER).verify(counting);
    assertThat(asked).hasValue(2);
  }

  /** The example of DSSE's protocol.md has no {@code keyid}. */
  @Test
  void envelope_without_keyid_is_written_without() throws DocumentFormatException {
    JsonObject json = JsonObject.of(
        "payload",
        "aGVsbG8gd29ybGQ=",
        "payloadType",
        TYPE,
        "signatures",
        List.of(JsonObject.of("sig", "AAAA")));
    assertThat(DsseEnvelope.fromJson(json).toJson()).isEqualTo(json);
    JsonObject empty =
        json.with("signatures", JsonArray.of(JsonObject.of("keyid", "", "sig", "AAAA")));
    assertThat(DsseEnvelope.fromJson(empty)).isEqualTo(DsseEnvelope.fromJson(json));
  }

  @Test
  void more_signatures_than_the_limit_are_refused_before_they_are_read()
      throws DocumentFormatException {
    JsonObject json = new DsseEnvelope(
            TYPE, new byte[1], Collections.nCopies(16, new DsseSignature("k", "AAAA")))
        .toJson();
    assertThat(DsseEnvelope.fromJson(json).signatures()).hasSize(16);
    DsseEnvelope.Limits limits = DsseEnvelope.Limits.defaults().withMaxSignatures(15);
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> DsseEnvelope.fromJson(json, limits))
        .withMessage("/signatures: must have at most 15 signatures (maxSignatures), found 16");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> DsseEnvelope.fromJson(
            json.with("signatures", JsonArray.copyOf(Collections.nCopies(17, JsonNull.NULL)))))
        .withMessageStartingWith("/signatures: must have at most 16 signatures");
  }

  @Test
  void members_that_are_not_known_are_named() throws IOException {
    JsonObject json = UNSIGNED.sign(SIGNER).toJson();
    assertThat(DsseEnvelope.unknownMembers(json)).isEmpty();
    JsonObject more = json.with("a/b", 1)
        .with("signatures", JsonArray.of(json.at("/signatures/0").asObject().with("cert", "x")));
    assertThat(DsseEnvelope.unknownMembers(more)).containsExactly("/a~1b", "/signatures/0/cert");
  }

  @Test
  void signature_over_another_type_or_payload_is_invalid() throws IOException {
    List<DsseSignature> signatures = UNSIGNED.sign(SIGNER).signatures();
    assertThat(new DsseEnvelope(TYPE + "s", UNSIGNED.payload(), signatures).verify(VERIFIER))
        .isEqualTo(Outcome.INVALID);
    assertThat(new DsseEnvelope(TYPE, new byte[0], signatures).verify(VERIFIER))
        .isEqualTo(Outcome.INVALID);
  }

  @Test
  void flipped_bit_is_refused_or_not_valid_or_changes_nothing_but_the_hint() throws IOException {
    DsseEnvelope envelope = UNSIGNED.sign(SIGNER);
    byte[] json = envelope.toString().getBytes(UTF_8);
    int valid = 0;
    for (int bit = 0; bit < json.length * 8; bit++) {
      byte[] altered = json.clone();
      altered[bit / 8] ^= (byte) (1 << bit % 8);
      DsseEnvelope read = read(altered);
      if (read != null && read.verify(VERIFIER) == Outcome.VALID) {
        assertThat(read.payload()).as("bit %d", bit).isEqualTo(envelope.payload());
        assertThat(read.payloadType()).as("bit %d", bit).isEqualTo(envelope.payloadType());
        assertThat(read).as("bit %d", bit).isNotEqualTo(envelope); // it names another key, or none
        assertThat(read.signatures().get(0).sig())
            .isEqualTo(envelope.signatures().get(0).sig());
        valid++;
      }
    }
    assertThat(valid).isGreaterThan(64);
  }

  private static DsseEnvelope read(byte[] json) {
    try {
      return JsonText.parse(json) instanceof JsonObject object
          ? DsseEnvelope.fromJson(object)
          : null;
    } catch (IllegalArgumentException | DocumentFormatException refused) {
      return null;
    }
  }

  @Test
  void url_safe_base64_is_read_and_standard_base64_written() throws DocumentFormatException {
    byte[] bytes = {(byte) 0xfb, (byte) 0xff, (byte) 0xfe, 1};
    DsseEnvelope envelope = DsseEnvelope.fromJson(JsonObject.of(
        "payload",
        Base64.getUrlEncoder().encodeToString(bytes),
        "payloadType",
        "t",
        "signatures",
        List.of(JsonObject.of("sig", "-__-"))));

    assertThat(envelope.payload()).isEqualTo(bytes);
    assertThat(envelope.toJson().at("/payload").asString()).isEqualTo("+//+AQ==");
    assertThat(envelope.signatures()).containsExactly(new DsseSignature("", "+//+"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A",
        "AA",
        "AA=",
        "AAA",
        "AB==",
        "AAB=",
        "_B==",
        "-_+/",
        "AAAA=",
        "AA==AA==",
        "é",
        "AA AA",
        "AAAA\n",
        "===="
      })
  void other_base64_is_refused(String text) throws IOException {
    JsonObject json = UNSIGNED.sign(SIGNER).toJson();
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> DsseEnvelope.fromJson(json.with("payload", text)))
        .withMessageStartingWith("/payload: must be Base64 with padding, found ");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> DsseEnvelope.fromJson(
            json.with("signatures", JsonArray.of(JsonObject.of("sig", text)))))
        .withMessageStartingWith("/signatures/0/sig: must be Base64 with padding, found ");
    assertThatIllegalArgumentException().isThrownBy(() -> new DsseSignature("k", text));
  }

  @Test
  void member_that_is_not_known_is_ignored() throws IOException {
    DsseEnvelope envelope = UNSIGNED.sign(SIGNER);
    JsonObject more = envelope
        .toJson()
        .with("x", 1)
        .with(
            "signatures",
            JsonArray.of(envelope.toJson().at("/signatures/0").asObject().with("cert", "x")));
    assertThat(DsseEnvelope.fromJson(more)).isEqualTo(envelope);
  }

  @ParameterizedTest
  @CsvSource({
    "payload, '/payload: must be a string, found nothing'",
    "payloadType, '/payloadType: must be a string, found nothing'",
    "signatures, '/signatures: must be an array, found nothing'"
  })
  void member_that_is_missing_is_refused(String name, String message) throws IOException {
    JsonObject json = UNSIGNED.sign(SIGNER).toJson();
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> DsseEnvelope.fromJson(json.without(name)))
        .withMessage(message);
  }

  @Test
  void signature_without_sig_or_with_another_keyid_is_refused() throws IOException {
    JsonObject json = UNSIGNED.sign(SIGNER).toJson();
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> DsseEnvelope.fromJson(
            json.with("signatures", JsonArray.of(JsonObject.of("keyid", "k")))))
        .withMessage("/signatures/0/sig: must be a string, found nothing");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> DsseEnvelope.fromJson(
            json.with("signatures", JsonArray.of(JsonObject.of("keyid", 1, "sig", "AAAA")))))
        .withMessage("/signatures/0/keyid: must be a string, found 1");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> DsseEnvelope.fromJson(json.with("signatures", JsonArray.of("AAAA"))))
        .withMessage("/signatures/0: must be an object, found \"AAAA\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SHA256;abc", "a b", "é", "k\n"})
  void key_without_a_name_that_a_verifier_knows_is_unknown(String keyid) {
    SignatureVerifier trusting = (signature, message) -> Outcome.VALID;
    DsseEnvelope envelope =
        new DsseEnvelope(TYPE, new byte[1], List.of(new DsseSignature(keyid, "AAAA")));
    assertThat(envelope.verify(trusting)).isEqualTo(Outcome.UNKNOWN_KEY);
  }
}
