package dev.agentreplay.model.signature;

import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A signature with its algorithm and key id. Its text is {@code <algorithm>:<key>:<value>}, with
 * the value in Base64 (RFC 4648, section 4, with padding). Immutable and safe for use by several
 * threads.
 */
public final class Signature {

  /** The algorithm Ed25519 (RFC 8032). */
  public static final String ED25519 = "ed25519";

  private static final Pattern ALGORITHM = Pattern.compile("[A-Za-z0-9._/@+=-]{1,256}");
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._/@+=:-]{1,256}");
  private static final Pattern TEXT =
      Pattern.compile("(" + ALGORITHM + "):(" + KEY + "):([A-Za-z0-9+/]{1,8192}={0,2})");

  private final String algorithm;
  private final String keyId;
  private final byte[] value;

  /**
   * Creates a signature.
   *
   * @param algorithm the algorithm in lower case, such as {@value #ED25519}
   * @param keyId the id of the key: for an Ed25519 key, the SHA-256 of its SubjectPublicKeyInfo in
   *     64 hexadecimal digits
   * @param value the bytes of the signature, which are copied
   * @throws IllegalArgumentException if the algorithm is not 1 to 256 letters, digits or {@code . _
   *     / @ + = -}, the key id is not 1 to 256 of these or {@code :}, or the value is empty
   */
  public Signature(String algorithm, String keyId, byte[] value) {
    this.algorithm = requireName("algorithm", algorithm, ALGORITHM);
    this.keyId = requireName("keyId", keyId, KEY);
    this.value = value.clone();
    if (value.length == 0) {
      throw new IllegalArgumentException("the signature is empty; expected at least one byte");
    }
  }

  /** Creates a signature, or returns null if an argument is not as the constructor requires. */
  static @Nullable Signature tryOf(String algorithm, String keyId, byte[] value) {
    return ALGORITHM.matcher(algorithm).matches()
            && KEY.matcher(keyId).matches()
            && value.length > 0
        ? new Signature(algorithm, keyId, value)
        : null;
  }

  private static String requireName(String what, String name, Pattern pattern) {
    if (!pattern.matcher(name).matches()) {
      throw new IllegalArgumentException(what + " is not a name: \"" + name + '"');
    }
    return name;
  }

  /**
   * Parses the text of a signature; returns null if it is not one. Every signature has exactly one
   * text.
   */
  public static @Nullable Signature tryParse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String base64 = matcher.group(3);
    byte[] value;
    try {
      value = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return null;
    }
    // the decoder ignores excess bits of the last character
    return Base64.getEncoder().encodeToString(value).equals(base64)
        ? new Signature(matcher.group(1), matcher.group(2), value)
        : null;
  }

  /** The algorithm, in lower case. */
  public String algorithm() {
    return algorithm;
  }

  /**
   * The id of the key. It is not covered by the signature: it is only a hint for finding the key.
   */
  public String keyId() {
    return keyId;
  }

  /** Returns a copy of the bytes of the signature. */
  public byte[] value() {
    return value.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Signature that
        && algorithm.equals(that.algorithm)
        && keyId.equals(that.keyId)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(algorithm, keyId, Arrays.hashCode(value));
  }

  /** Returns the text of the signature. */
  @Override
  public String toString() {
    return algorithm + ":" + keyId + ":" + Base64.getEncoder().encodeToString(value);
  }
}
