package dev.agentreplay.model.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.model.finding.DocumentFormatException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Public keys that make a signature worth nothing, or that have a second spelling. */
class SmallOrderKeyTest {

  private static final String DER = "302a300506032b6570032100";
  private static final String IDENTITY =
      "0100000000000000000000000000000000000000000000000000000000000000";

  /** A point of order 8 by "Taming the many EdDSAs", table 6, in addition to the trivial ones. */
  private static final String ORDER_8 =
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03";

  @ParameterizedTest
  @ValueSource(
      strings = {
        IDENTITY,
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        ORDER_8 + "7a",
        ORDER_8 + "fa",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        // the same in encodings that are not canonical
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
      })
  void key_of_small_order_is_refused_in_every_encoding(String point) {
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> KeyPem.parsePublicKey(pem(point)))
        .withMessage("Ed25519 public key rejected: a point of small order, with which"
            + " signatures can be forged: " + point);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ed25519Verifier.of(List.of(new EncodedKey(point))))
        .withMessageContaining("a point of small order");
  }

  static List<String> encodingsThatAreNotCanonical() {
    BigInteger p = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
    return IntStream.range(2, 19)
        .boxed()
        .flatMap(i -> {
          BigInteger y = p.add(BigInteger.valueOf(i));
          return Stream.of(littleEndian(y), littleEndian(y.setBit(255)));
        })
        .toList();
  }

  @ParameterizedTest
  @MethodSource("encodingsThatAreNotCanonical")
  void key_in_an_encoding_that_is_not_canonical_is_refused(String point) {
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> KeyPem.parsePublicKey(pem(point)))
        .withMessageEndingWith("not the canonical encoding of a point: " + point);
  }

  @Test
  void generated_keys_and_that_of_the_specification_are_taken() throws DocumentFormatException {
    String rfc8032 = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    assertThat(KeyPem.parsePublicKey(pem(rfc8032))).isNotNull();
    PublicKey generated = Ed25519Signer.generate().publicKey();
    assertThat(KeyPem.parsePublicKey(KeyPem.text(generated))).isEqualTo(generated);
  }

  @Test
  void forged_signature_that_fits_every_message_of_such_a_key_verifies_nothing()
      throws GeneralSecurityException {
    PublicKey identity =
        KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der(IDENTITY)));
    byte[] forged = new byte[64];
    forged[0] = 1; // R is the identity, too, and S is 0
    byte[] message = "any message".getBytes(StandardCharsets.UTF_8);
    java.security.Signature platform = java.security.Signature.getInstance("Ed25519");
    platform.initVerify(identity);
    platform.update(message);
    assertThat(platform.verify(forged)).isTrue();

    assertThatIllegalArgumentException().isThrownBy(() -> Ed25519Verifier.of(List.of(identity)));
    Ed25519Verifier verifier =
        Ed25519Verifier.of(List.of(Ed25519Signer.generate().publicKey()));
    assertThat(verifier.attribute(Signature.ED25519, "", forged, message))
        .isEqualTo(SignatureVerifier.Attribution.UNKNOWN);
  }

  private static String littleEndian(BigInteger y) {
    byte[] bigEndian = y.toByteArray();
    byte[] encoded = new byte[32];
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = bigEndian[bigEndian.length - 1 - i];
    }
    return HexFormat.of().formatHex(encoded);
  }

  private static byte[] der(String point) {
    return HexFormat.of().parseHex(DER + point);
  }

  private static String pem(String point) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getEncoder().encodeToString(der(point))
        + "\n-----END PUBLIC KEY-----\n";
  }

  /** A key of a provider that checks nothing. */
  private record EncodedKey(String point) implements PublicKey {
    @Override
    public String getAlgorithm() {
      return "Ed25519";
    }

    @Override
    public String getFormat() {
      return "X.509";
    }

    @Override
    public byte[] getEncoded() {
      return der(point);
    }
  }
}
