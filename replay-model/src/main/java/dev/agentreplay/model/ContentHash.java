package dev.agentreplay.model;

import dev.agentreplay.model.internal.Sha256;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A SHA-256 hash, written {@code sha256:} and 64 lower-case hexadecimal digits. */
public final class ContentHash {

  private static final String PREFIX = "sha256:";
  private static final int DIGEST_BYTES = 32;
  private static final HexFormat HEX = HexFormat.of();

  private final long a;
  private final long b;
  private final long c;
  private final long d;

  private ContentHash(byte[] digest) {
    a = bigEndian(digest, 0);
    b = bigEndian(digest, 8);
    c = bigEndian(digest, 16);
    d = bigEndian(digest, 24);
  }

  /**
   * The hash with this digest.
   *
   * @throws IllegalArgumentException if it is not 32 bytes long
   */
  public static ContentHash of(byte[] digest) {
    if (digest.length != DIGEST_BYTES) {
      throw new IllegalArgumentException("a SHA-256 digest has 32 bytes, not " + digest.length);
    }
    return new ContentHash(digest);
  }

  /** The hash of these bytes. */
  public static ContentHash sha256(byte[] bytes) {
    return of(Sha256.newDigest().digest(bytes));
  }

  /**
   * Reads {@code sha256:} and 64 lower-case hexadecimal digits.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static ContentHash parse(String text) {
    ContentHash hash = tryParse(text);
    if (hash == null) {
      throw new IllegalArgumentException(
          "not \"sha256:\" and 64 lower-case hexadecimal digits: " + text);
    }
    return hash;
  }

  /** Like {@link #parse}, but null if the text has another form. */
  public static @Nullable ContentHash tryParse(String text) {
    return text.startsWith(PREFIX) ? tryParseHex(text.substring(PREFIX.length())) : null;
  }

  /** Reads 64 lower-case hexadecimal digits; null if the text has another form. */
  public static @Nullable ContentHash tryParseHex(String hex) {
    if (hex.length() != 2 * DIGEST_BYTES) {
      return null;
    }
    for (int i = 0; i < hex.length(); i++) {
      char digit = hex.charAt(i);
      if (!(digit >= '0' && digit <= '9') && !(digit >= 'a' && digit <= 'f')) {
        return null;
      }
    }
    return new ContentHash(HEX.parseHex(hex));
  }

  /** The 64 hexadecimal digits, without prefix. */
  public String hex() {
    return HEX.toHexDigits(a) + HEX.toHexDigits(b) + HEX.toHexDigits(c) + HEX.toHexDigits(d);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ContentHash that
        && a == that.a
        && b == that.b
        && c == that.c
        && d == that.d;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(a);
  }

  /** {@code sha256:} and 64 hexadecimal digits. */
  @Override
  public String toString() {
    return PREFIX + hex();
  }

  private static long bigEndian(byte[] bytes, int from) {
    long value = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    return value;
  }
}
