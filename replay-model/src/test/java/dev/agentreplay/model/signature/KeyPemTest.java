package dev.agentreplay.model.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.model.finding.DocumentFormatException;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPemTest {

  @Test
  void keys_of_openssl_are_read_and_written_as_they_are() throws DocumentFormatException {
    assertThat(KeyPem.text(KeyPem.parsePrivateKey(TestKeys.PRIVATE))).isEqualTo(TestKeys.PRIVATE);
    assertThat(KeyPem.text(KeyPem.parsePublicKey(TestKeys.PUBLIC))).isEqualTo(TestKeys.PUBLIC);
    assertThat(Ed25519Signer.of(KeyPem.parsePrivateKey(TestKeys.PRIVATE)).publicKey())
        .isEqualTo(KeyPem.parsePublicKey(TestKeys.PUBLIC));
  }

  @Test
  void text_around_the_key_and_other_line_ends_are_read_over() throws DocumentFormatException {
    String pem = "key of the build\r\n" + TestKeys.PUBLIC.replace("\n", "\r\n") + "\r\nED25519\r\n";
    assertThat(KeyPem.parsePublicKey(pem)).isEqualTo(KeyPem.parsePublicKey(TestKeys.PUBLIC));
    String narrow = TestKeys.PUBLIC.replace("MCow", "MC\now");
    assertThat(KeyPem.parsePublicKey(narrow)).isEqualTo(KeyPem.parsePublicKey(TestKeys.PUBLIC));
  }

  @ParameterizedTest
  @CsvSource({
    "ed25519.pub.pem, 'expected PRIVATE KEY, found PUBLIC KEY'",
    "encrypted.pem, 'the private key is encrypted: decrypt it first, as openssl pkey does'",
    "ed448.pem, not an Ed25519 private key (RFC 8410)",
    "sec1.pem, 'expected PRIVATE KEY, found EC PRIVATE KEY'",
    "message.sig.base64, no key in PEM: expected -----BEGIN PRIVATE KEY-----"
  })
  void private_key_of_another_form_is_refused(String file, String message) {
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> KeyPem.parsePrivateKey(TestKeys.text(file)))
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "ed25519.pem, 'expected PUBLIC KEY, found PRIVATE KEY'",
    "ed448.pub.pem, not an Ed25519 public key (RFC 8410)",
    "ed25519.keyid, no key in PEM: expected -----BEGIN PUBLIC KEY-----"
  })
  void public_key_of_another_form_is_refused(String file, String message) {
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> KeyPem.parsePublicKey(TestKeys.text(file)))
        .withMessage(message);
  }

  @Test
  void several_keys_are_refused() {
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> KeyPem.parsePublicKey(TestKeys.PUBLIC + TestKeys.PUBLIC))
        .withMessage("several PEM blocks: expected one PUBLIC KEY");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> KeyPem.parsePrivateKey(TestKeys.PRIVATE + TestKeys.PUBLIC))
        .withMessage("several PEM blocks: expected one PRIVATE KEY");
  }

  @Test
  void every_truncation_is_refused() {
    String pem = TestKeys.PRIVATE.strip();
    for (int length = 0; length < pem.length(); length++) {
      String cut = pem.substring(0, length);
      assertThatExceptionOfType(DocumentFormatException.class)
          .isThrownBy(() -> KeyPem.parsePrivateKey(cut));
    }
  }

  @Test
  void message_tells_nothing_of_a_private_key() {
    String pem = TestKeys.PRIVATE;
    String body = pem.lines().toList().get(1);
    for (String altered : new String[] {
      pem.replaceFirst("KEY-----", "KEY"),
      pem.replace(body, body + "!"),
      pem.replace(body, body + "AAAA"),
    }) {
      assertThatExceptionOfType(DocumentFormatException.class)
          .isThrownBy(() -> KeyPem.parsePrivateKey(altered))
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain(body.substring(0, 8)));
    }
  }

  @Test
  void every_changed_character_is_refused_or_another_key() throws DocumentFormatException {
    String pem = TestKeys.PUBLIC.strip();
    for (int i = 0; i < pem.length(); i++) {
      for (char c : new char[] {'A', '!', '-', '_', '=', 'é', '\0'}) {
        String altered = pem.substring(0, i) + c + pem.substring(i + 1);
        if (c != pem.charAt(i)) {
          assertThat(readsAsTheSameKey(altered)).as(altered).isFalse();
        }
      }
    }
  }

  private static boolean readsAsTheSameKey(String pem) {
    try {
      return KeyPem.parsePublicKey(pem).equals(KeyPem.parsePublicKey(TestKeys.PUBLIC));
    } catch (DocumentFormatException refused) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"=", "", "%", "\nMCow"})
  void body_that_is_not_base64_of_one_key_is_refused(String end) {
    String pem = TestKeys.PUBLIC.replace("=\n", end + "\n");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> KeyPem.parsePublicKey(end.equals("=") ? pem.replace("=", "==") : pem))
        .withMessage("the public key is not valid Base64");
  }

  @Test
  void key_that_is_not_a_point_of_the_curve_is_refused() {
    String encoded = "302a300506032b6570032100" + "02" + "00".repeat(31);
    String base64 = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(encoded));
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> KeyPem.parsePublicKey(
            "-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----\n"))
        .withMessage("not a point of the curve: " + encoded);
  }

  @Test
  void key_of_another_kind_is_not_written() throws NoSuchAlgorithmException {
    var pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyPem.text(pair.getPrivate()))
        .withMessage("expected an Ed25519 private key that exposes its encoding, found EC");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyPem.text(pair.getPublic()))
        .withMessage("expected an Ed25519 public key that exposes its encoding, found EC");
  }
}
