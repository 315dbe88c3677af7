package dev.agentreplay.model.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import java.io.IOException;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Ed25519Test {

  private static final byte[] MESSAGE = "a message\n".getBytes(UTF_8);

  private final Ed25519Signer signer = Ed25519Signer.of(KeyPem.parsePrivateKey(TestKeys.PRIVATE));
  private final Ed25519Verifier verifier =
      Ed25519Verifier.of(Set.of(KeyPem.parsePublicKey(TestKeys.PUBLIC)));

  Ed25519Test() throws IOException {}

  /** RFC 8032, section 7.1. */
  @ParameterizedTest
  @CsvSource({
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,"
        + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,"
        + "'',"
        + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
        + "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,"
        + "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,"
        + "72,"
        + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da0"
        + "85ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,"
        + "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025,"
        + "af82,"
        + "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac1"
        + "8ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42,"
        + "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf,"
        + "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f,"
        + "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b5890"
        + "9351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
  })
  void keys_and_signatures_are_those_of_the_rfc(
      String secret, String publicKey, String message, String signature) throws IOException {
    PrivateKey key =
        Ed25519.privateKey(HexFormat.of().parseHex("302e020100300506032b657004220420" + secret));
    Ed25519Signer signer = Ed25519Signer.of(key);
    byte[] signed = HexFormat.of().parseHex(message);

    assertThat(signer.publicKey().getEncoded())
        .isEqualTo(HexFormat.of().parseHex("302a300506032b6570032100" + publicKey));
    assertThat(HexFormat.of().formatHex(signer.sign(signed))).isEqualTo(signature);
    assertThat(
            Ed25519Verifier.of(Set.of(signer.publicKey())).verify(signer.signature(signed), signed))
        .isEqualTo(Outcome.VALID);
  }

  @Test
  void key_id_and_signature_are_those_of_openssl() throws IOException {
    byte[] made = Base64.getDecoder().decode(TestKeys.text("message.sig.base64").strip());
    Signature signature = new Signature(Signature.ED25519, TestKeys.KEY_ID, made);

    assertThat(signer.keyId()).isEqualTo(TestKeys.KEY_ID);
    assertThat(signer.signature(MESSAGE)).isEqualTo(signature);
    assertThat(verifier.verify(signature, MESSAGE)).isEqualTo(Outcome.VALID);
  }

  @Test
  void flipped_bit_of_message_or_signature_is_invalid() throws IOException {
    Signature signature = signer.signature(MESSAGE);
    for (int bit = 0; bit < MESSAGE.length * 8; bit++) {
      assertThat(verifier.verify(signature, flipped(MESSAGE, bit))).isEqualTo(Outcome.INVALID);
    }
    for (int bit = 0; bit < signature.value().length * 8; bit++) {
      Signature altered =
          new Signature(Signature.ED25519, signer.keyId(), flipped(signature.value(), bit));
      assertThat(verifier.verify(altered, MESSAGE)).isEqualTo(Outcome.INVALID);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 65, 128})
  void signature_of_another_length_is_invalid(int length) throws IOException {
    byte[] value = Arrays.copyOf(signer.sign(MESSAGE), length);
    assertThat(verifier.verify(new Signature(Signature.ED25519, signer.keyId(), value), MESSAGE))
        .isEqualTo(Outcome.INVALID);
  }

  @Test
  void second_signature_that_could_be_computed_from_one_is_invalid() throws IOException {
    byte[] value = signer.sign(MESSAGE);
    BigInteger order =
        BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
    byte[] s = reversed(Arrays.copyOfRange(value, 32, 64));
    byte[] more = reversed(new BigInteger(1, s).add(order).toByteArray());
    System.arraycopy(more, 0, value, 32, 32);

    assertThat(verifier.verify(new Signature(Signature.ED25519, signer.keyId(), value), MESSAGE))
        .isEqualTo(Outcome.INVALID);
  }

  @Test
  void key_or_algorithm_that_is_not_trusted_is_unknown() throws IOException {
    Signature signature = signer.signature(MESSAGE);
    Ed25519Signer other = Ed25519Signer.generate();

    assertThat(verifier.verify(other.signature(MESSAGE), MESSAGE)).isEqualTo(Outcome.UNKNOWN_KEY);
    assertThat(Ed25519Verifier.of(Set.of()).verify(signature, MESSAGE))
        .isEqualTo(Outcome.UNKNOWN_KEY);
    for (String algorithm : List.of("secp256k1_schnorr", "Ed25519", "ed25519ph")) {
      Signature named = new Signature(algorithm, signer.keyId(), signature.value());
      assertThat(verifier.verify(named, MESSAGE)).isEqualTo(Outcome.UNKNOWN_KEY);
    }
  }

  @Test
  void signature_that_names_a_trusted_key_but_was_made_with_a_different_one_is_invalid()
      throws IOException {
    Ed25519Signer other = Ed25519Signer.generate();
    Signature forged = new Signature(Signature.ED25519, signer.keyId(), other.sign(MESSAGE));
    Ed25519Verifier both = Ed25519Verifier.of(List.of(signer.publicKey(), other.publicKey()));

    assertThat(both.verify(forged, MESSAGE)).isEqualTo(Outcome.INVALID);
    assertThat(both.verify(other.signature(MESSAGE), MESSAGE)).isEqualTo(Outcome.VALID);
    assertThat(both.verify(signer.signature(MESSAGE), MESSAGE)).isEqualTo(Outcome.VALID);
  }

  @Test
  void generated_keys_differ_and_are_derived_again_from_the_private_key() {
    Ed25519Signer signer = Ed25519Signer.generate();
    assertThat(signer.keyId()).hasSize(64).isNotEqualTo(Ed25519Signer.generate().keyId());
    assertThat(Ed25519Signer.of(signer.privateKey()).publicKey()).isEqualTo(signer.publicKey());
  }

  @Test
  void two_keys_must_belong_together() throws IOException {
    Ed25519Signer other = Ed25519Signer.generate();

    assertThat(Ed25519Signer.of(signer.privateKey(), signer.publicKey()).signature(MESSAGE))
        .isEqualTo(signer.signature(MESSAGE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ed25519Signer.of(signer.privateKey(), other.publicKey()))
        .withMessage("the public key %s is not that of the private key", other.keyId());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Ed448", "EC"})
  void keys_of_another_kind_are_refused(String algorithm) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    String name = pair.getPublic().getAlgorithm();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ed25519Signer.of(pair.getPrivate()))
        .withMessageStartingWith("cannot derive the public key of this %s key", name);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ed25519Signer.of(pair.getPrivate(), signer.publicKey()))
        .withMessage("not an Ed25519 private key that can sign: %s", name);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ed25519Signer.of(signer.privateKey(), pair.getPublic()))
        .withMessage("not an Ed25519 public key: %s", name);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ed25519Verifier.of(Set.of(pair.getPublic())))
        .withMessage("not an Ed25519 public key: %s", name);
  }

  @Test
  void private_key_in_a_device_cannot_be_derived_from_and_cannot_be_used_elsewhere() {
    PrivateKey inDevice = new KeyInDevice();
    assertThatIllegalArgumentException().isThrownBy(() -> Ed25519Signer.of(inDevice));
    assertThatIllegalArgumentException().isThrownBy(() -> KeyPem.text(inDevice));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ed25519Signer.of(inDevice, signer.publicKey()));
  }

  @Test
  void key_is_used_by_several_threads() throws Exception {
    int threads = 8;
    int rounds = 20 * Integer.getInteger("replay.effort", 1);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        byte[] message = {(byte) thread};
        tasks.add(() -> {
          boolean valid = true;
          for (int i = 0; i < rounds; i++) {
            Signature signature = signer.signature(message);
            valid &= verifier.verify(signature, message) == Outcome.VALID;
            valid &= verifier.verify(signature, MESSAGE) == Outcome.INVALID;
          }
          return valid;
        });
      }
      for (Future<Boolean> valid : executor.invokeAll(tasks)) {
        assertThat(valid.get()).isTrue();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void text_names_the_keys_that_are_public() {
    assertThat(signer).hasToString("ed25519:" + TestKeys.KEY_ID);
    assertThat(verifier).hasToString("trusts [" + TestKeys.KEY_ID + "]");
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] altered = bytes.clone();
    altered[bit / 8] ^= (byte) (1 << bit % 8);
    return altered;
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }

  private static final class KeyInDevice implements PrivateKey {
    private static final long serialVersionUID = 1L;

    @Override
    public String getAlgorithm() {
      return "Ed25519";
    }

    @Override
    public String getFormat() {
      return null;
    }

    @Override
    public byte[] getEncoded() {
      return null;
    }
  }
}
