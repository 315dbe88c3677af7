package dev.agentreplay.model.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {

  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  @Property
  void text_reads_back_as_the_same_signature(
      @ForAll("names") String algorithm,
      @ForAll("names") String key,
      @ForAll @Size(min = 1, max = 200) byte[] value) {
    Signature signature = new Signature(algorithm, key, value);
    Signature reread = Signature.tryParse(signature.toString());

    assertThat(reread).isEqualTo(signature).hasSameHashCodeAs(signature);
    assertThat(reread.algorithm()).isEqualTo(algorithm);
    assertThat(reread.keyId()).isEqualTo(key);
    assertThat(reread.value()).isEqualTo(value);
  }

  @Property
  void base64_of_the_value_has_one_spelling(
      @ForAll @Size(min = 1, max = 70) byte[] value, @ForAll char inserted) {
    String text = new Signature("ed25519", "k", value).toString();
    String bare = text.replace("=", "");
    if (!bare.equals(text)) {
      assertThat(Signature.tryParse(bare)).isNull();
      // the last character has bits that stand for nothing
      int last = ALPHABET.indexOf(bare.charAt(bare.length() - 1));
      for (int bits = 1; bits < (value.length % 3 == 1 ? 16 : 4); bits++) {
        String altered = bare.substring(0, bare.length() - 1)
            + ALPHABET.charAt(last | bits)
            + text.substring(bare.length());
        assertThat(Signature.tryParse(altered)).as(altered).isNull();
      }
    }
    assertThat(Signature.tryParse(text + "=")).isNull();
    assertThat(Signature.tryParse(text + "\n")).isNull();
    for (int i = 0; i <= text.length(); i++) {
      String longer = text.substring(0, i) + inserted + text.substring(i);
      Signature read = Signature.tryParse(longer);
      if (read != null) {
        assertThat(read).hasToString(longer);
      }
    }
  }

  @Provide
  static Arbitrary<String> names() {
    return Arbitraries.strings().withChars(ALPHABET + "._@=-").ofMinLength(1).ofMaxLength(256);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ed25519",
        "ed25519:k",
        "ed25519:k:",
        "ed25519::AAAA",
        ":k:AAAA",
        "ed25519:k:AAAA:",
        "ed25519:k:====",
        "ed25519:k:A",
        "ed25519:k:AA",
        "ed25519:k:AB==",
        "ed25519:k:AAB=",
        "ed25519:k:AA-_",
        "ed25519:k:AA AA",
        "ed25519:k:AAAA\n",
        " ed25519:k:AAAA",
        "ed25519:k k:AAAA",
        "ed25519:\u00e9:AAAA",
        "secp256k1_schnorr"
      })
  void text_other_than_a_signature_is_recognized(String text) {
    assertThat(Signature.tryParse(text)).isNull();
  }

  @Test
  void text_longer_than_a_signature_is_recognized() {
    String longest = "a:k:" + "A".repeat(8192);
    assertThat(Signature.tryParse(longest)).isNotNull();
    assertThat(Signature.tryParse(longest + "AAAA")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a;b", "\n", "\u00e9"})
  void name_with_other_characters_is_refused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Signature(name, "k", new byte[1]))
        .withMessage("algorithm is not a name: \"%s\"", name);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Signature("a", name, new byte[1]))
        .withMessage("keyId is not a name: \"%s\"", name);
  }

  @Test
  void key_may_have_colons_and_an_algorithm_not() {
    Signature signature = new Signature("a", "arn:aws:kms:x/y", new byte[] {1});
    assertThat(Signature.tryParse(signature.toString())).isEqualTo(signature);
    assertThatIllegalArgumentException().isThrownBy(() -> new Signature("a:b", "k", new byte[1]));
  }

  @Test
  void value_without_bytes_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Signature("a", "k", new byte[0]))
        .withMessage("the signature is empty; expected at least one byte");
  }

  @Test
  void value_is_copied_in_and_out() {
    byte[] value = {1, 2, 3};
    Signature signature = new Signature("a", "k", value);
    value[0] = 9;
    signature.value()[1] = 9;
    assertThat(signature.value()).containsExactly(1, 2, 3);
  }

  @Test
  void signatures_are_equal_when_all_their_parts_are() {
    Signature signature = new Signature("a", "k", new byte[] {1});
    assertThat(signature)
        .isNotEqualTo(new Signature("b", "k", new byte[] {1}))
        .isNotEqualTo(new Signature("a", "l", new byte[] {1}))
        .isNotEqualTo(new Signature("a", "k", new byte[] {2}))
        .isNotEqualTo("a:k:AQ==");
  }

  @Test
  void signer_of_ones_own_names_algorithm_and_key() throws IOException {
    Signer signer = new Signer() {
      @Override
      public String algorithm() {
        return "reversed";
      }

      @Override
      public String keyId() {
        return "k";
      }

      @Override
      public byte[] sign(byte[] message) {
        return new byte[] {message[1], message[0]};
      }
    };
    assertThat(signer.signature(new byte[] {1, 2}))
        .isEqualTo(new Signature("reversed", "k", new byte[] {2, 1}));
    assertThat(SignatureVerifier.NONE.verify(signer.signature(new byte[2]), new byte[2]))
        .isEqualTo(SignatureVerifier.Outcome.UNKNOWN_KEY);
  }
}
