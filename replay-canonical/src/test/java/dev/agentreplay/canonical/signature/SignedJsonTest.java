package dev.agentreplay.canonical.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignedJsonTest {

  private static final Ed25519Signer SIGNER = Ed25519Signer.generate();
  private static final SignatureVerifier VERIFIER = Ed25519Verifier.of(Set.of(SIGNER.publicKey()));
  private static final JsonObject RECEIPT = JsonText.parse(
          "{\"session_id\":\"s\",\"final_confidence\":1.0,\"x\":{\"é\":[null]}}")
      .asObject();

  @Test
  void message_is_the_encoding_of_type_and_canonical_json_without_the_signature() {
    String serde = "{\"final_confidence\":1.0,\"session_id\":\"s\",\"x\":{\"é\":[null]}}";
    String jcs = serde.replace("1.0", "1");

    assertThat(message(RECEIPT, CanonicalJson.SERDE))
        .isEqualTo("DSSEv1 40 application/vnd.agentreplay.receipt+json 59 " + serde);
    assertThat(message(RECEIPT, CanonicalJson.JCS))
        .isEqualTo("DSSEv1 40 application/vnd.agentreplay.receipt+json 57 " + jcs);
    assertThat(message(RECEIPT.with("signature", "whatever"), CanonicalJson.SERDE))
        .isEqualTo(message(RECEIPT, CanonicalJson.SERDE));
  }

  @Test
  void integer_that_the_canonicalization_would_round_is_kept_exact() {
    JsonObject object = JsonObject.of("n", 9007199254740993L, "x", 1.0);
    assertThat(message(object, CanonicalJson.JCS))
        .isEqualTo(message(object, CanonicalJson.SERDE))
        .endsWith("{\"n\":9007199254740993,\"x\":1.0}");
  }

  private static String message(JsonObject object, CanonicalJson canonical) {
    return new String(SignedJson.message(object, SignedJson.RECEIPT, canonical), UTF_8);
  }

  @Test
  void signed_object_is_valid_whatever_the_order_and_the_spelling_of_its_members()
      throws IOException {
    JsonObject signed = signed();
    JsonObject respelled = JsonText.parse(
            "{\"signature\":\"" + signed.at("/signature").asString()
                + "\", \"x\":{\"\\u00e9\":[null]}, \"final_confidence\":1e0, \"session_id\":\"s\"}")
        .asObject();

    assertThat(SignedJson.signature(signed)).hasToString(signed.at("/signature").asString());
    assertThat(verify(signed)).isEqualTo(Outcome.VALID);
    assertThat(verify(respelled)).isEqualTo(Outcome.VALID);
  }

  @Test
  void object_that_was_changed_or_is_of_another_type_is_invalid() throws IOException {
    JsonObject signed = signed();
    assertThat(verify(signed.with("session_id", "t"))).isEqualTo(Outcome.INVALID);
    assertThat(verify(signed.with("more", 1))).isEqualTo(Outcome.INVALID);
    assertThat(verify(signed.without("x"))).isEqualTo(Outcome.INVALID);
    assertThat(SignedJson.verify(signed, SignedJson.CHECKPOINT, CanonicalJson.SERDE, VERIFIER))
        .isEqualTo(Outcome.INVALID);
    assertThat(SignedJson.verify(signed, SignedJson.RECEIPT, CanonicalJson.JCS, VERIFIER))
        .isEqualTo(Outcome.INVALID);
  }

  @Test
  void flipped_bit_of_a_signed_object_is_refused_or_not_valid() throws IOException {
    byte[] json = CanonicalJson.SERDE.bytes(signed());
    for (int bit = 0; bit < json.length * 8; bit++) {
      byte[] altered = json.clone();
      altered[bit / 8] ^= (byte) (1 << bit % 8);
      JsonObject object = parse(altered);
      if (object != null) {
        assertThat(verify(object)).as("bit %d", bit).isNotEqualTo(Outcome.VALID);
      }
    }
  }

  private static JsonObject parse(byte[] json) {
    try {
      return JsonText.parse(json) instanceof JsonObject object ? object : null;
    } catch (IllegalArgumentException refused) {
      return null;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "\"\"",
        "\"secp256k1_schnorr:abcdef\"",
        "\"secp256k1_schnorr\"",
        "{\"algorithm\":\"secp256k1_schnorr\",\"sig\":\"00\"}",
        "[]",
        "1"
      })
  void signature_of_another_form_is_unknown_and_not_asked_for(String signature) {
    JsonObject object = RECEIPT.with("signature", JsonText.parse(signature));
    assertThat(SignedJson.signature(object)).isNull();
    assertThat(SignedJson.verify(
            object, SignedJson.RECEIPT, CanonicalJson.SERDE, (s, message) -> Outcome.VALID))
        .isEqualTo(Outcome.UNKNOWN_KEY);
  }

  @Test
  void object_without_a_signature_or_with_that_of_another_algorithm_is_unknown() {
    Signature schnorr = new Signature("secp256k1_schnorr", SIGNER.keyId(), new byte[64]);
    assertThat(verify(RECEIPT)).isEqualTo(Outcome.UNKNOWN_KEY);
    assertThat(verify(RECEIPT.with("signature", schnorr.toString())))
        .isEqualTo(Outcome.UNKNOWN_KEY);
  }

  private static JsonObject signed() throws IOException {
    Signature signature = SignedJson.sign(RECEIPT, SignedJson.RECEIPT, CanonicalJson.SERDE, SIGNER);
    return RECEIPT.with("signature", JsonValue.of(signature.toString()));
  }

  private static Outcome verify(JsonObject object) {
    return SignedJson.verify(object, SignedJson.RECEIPT, CanonicalJson.SERDE, VERIFIER);
  }
}
