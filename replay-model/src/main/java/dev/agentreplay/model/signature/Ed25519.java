package dev.agentreplay.model.signature;

import dev.agentreplay.model.ContentHash;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes Ed25519 keys in the form of RFC 8410. */
final class Ed25519 {

  private static final String NAME = "Ed25519";
  private static final int KEY_BYTES = 32;

  /** The DER bytes before the 32 bytes of a key: RFC 8410, sections 4 and 7. */
  private static final byte[] PUBLIC_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final byte[] PRIVATE_PREFIX =
      HexFormat.of().parseHex("302e020100300506032b657004220420");

  private Ed25519() {}

  static java.security.Signature newSignature() {
    try {
      return java.security.Signature.getInstance(NAME);
    } catch (NoSuchAlgorithmException e) {
      throw noEd25519(e);
    }
  }

  static KeyPair generate(@Nullable SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(NAME);
      if (random != null) {
        generator.initialize(KEY_BYTES * Byte.SIZE - 1, random);
      }
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw noEd25519(e);
    }
  }

  /** The SHA-256 of the SubjectPublicKeyInfo, in hexadecimal. */
  static String keyId(PublicKey key) {
    return ContentHash.sha256(key.getEncoded()).hex();
  }

  /**
   * Decodes a public key from its SubjectPublicKeyInfo; returns null for a key of another
   * algorithm.
   *
   * @throws IllegalArgumentException if the key is not a point of the curve, or must not be trusted
   */
  static @Nullable PublicKey publicKey(byte[] encoded) {
    if (!isKey(encoded, PUBLIC_PREFIX)) {
      return null;
    }
    byte[] point = Arrays.copyOfRange(encoded, PUBLIC_PREFIX.length, encoded.length);
    String fault = Ed25519Point.fault(point);
    if (fault != null) {
      throw new IllegalArgumentException(
          "Ed25519 public key rejected: %s: %s".formatted(fault, HexFormat.of().formatHex(point)));
    }
    try {
      PublicKey key = factory().generatePublic(new X509EncodedKeySpec(encoded));
      newSignature().initVerify(key); // only this checks that it is a point of the curve
      return key;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "not a point of the curve: " + HexFormat.of().formatHex(encoded), e);
    }
  }

  /**
   * Decodes a private key from its PrivateKeyInfo (PKCS#8); returns null for a key of another
   * algorithm.
   */
  static @Nullable PrivateKey privateKey(byte[] encoded) {
    if (!isKey(encoded, PRIVATE_PREFIX)) {
      return null;
    }
    try {
      return factory().generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every 32 bytes are a private key", e);
    }
  }

  /**
   * Derives the public key of a private key; returns null when the private key is of another
   * algorithm or does not expose its encoding.
   */
  static @Nullable PublicKey publicKey(PrivateKey key) {
    byte[] encoded = key.getEncoded();
    if (encoded == null || !isKey(encoded, PRIVATE_PREFIX)) {
      return null;
    }
    byte[] seed = Arrays.copyOfRange(encoded, PRIVATE_PREFIX.length, encoded.length);
    KeyPair pair = generate(new Fixed(seed));
    if (!Arrays.equals(pair.getPrivate().getEncoded(), encoded)) {
      throw new IllegalStateException(
          "the platform cannot derive the public key: specify both keys");
    }
    return pair.getPublic();
  }

  private static boolean isKey(byte[] encoded, byte[] prefix) {
    return encoded.length == prefix.length + KEY_BYTES
        && Arrays.equals(encoded, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static KeyFactory factory() {
    try {
      return KeyFactory.getInstance(NAME);
    } catch (NoSuchAlgorithmException e) {
      throw noEd25519(e);
    }
  }

  private static IllegalStateException noEd25519(NoSuchAlgorithmException cause) {
    return new IllegalStateException(
        "this runtime has no Ed25519: its image lacks the module jdk.crypto.ec", cause);
  }

  /**
   * A source of randomness that returns the private key, because the platform derives a public key
   * only for a key that it generates.
   */
  private static final class Fixed extends SecureRandom {
    private static final long serialVersionUID = 1L;

    /** The bytes that are returned. */
    private final byte[] seed;

    Fixed(byte[] seed) {
      this.seed = seed;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      System.arraycopy(seed, 0, bytes, 0, bytes.length);
    }
  }
}
