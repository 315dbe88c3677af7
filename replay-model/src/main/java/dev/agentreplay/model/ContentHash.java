package dev.agentreplay.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 hash, written as {@code sha256:} and 64 lower-case hexadecimal digits. Other producers
 * also write the digits alone: {@link #tryParseAnyForm} reads that form, and {@link #text} returns
 * it. Two hashes are equal when their digests are, in either form. Immutable and safe for use by
 * several threads.
 */
public final class ContentHash {

  private static final String PREFIX = "sha256:";
  private static final byte[] PREFIX_BYTES = PREFIX.getBytes(StandardCharsets.ISO_8859_1);
  private static final int DIGEST_BYTES = 32;

  /** The number of hexadecimal digits of a hash. */
  public static final int HEX_LENGTH = 2 * DIGEST_BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** A digest without bytes; copying it is faster than looking one up. */
  private static final MessageDigest UNUSED = createDigest();

  private final long a;
  private final long b;
  private final long c;
  private final long d;

  /** Whether the hash is written without prefix; {@code equals} ignores it. */
  private final boolean bare;

  private ContentHash(long a, long b, long c, long d, boolean bare) {
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
    this.bare = bare;
  }

  /**
   * Returns the hash with the given digest. {@link #sha256} computes the hash of bytes.
   *
   * @throws IllegalArgumentException if the digest is not 32 bytes long
   */
  public static ContentHash of(byte[] digest) {
    if (digest.length != DIGEST_BYTES) {
      throw new IllegalArgumentException(
          "a SHA-256 digest has %d bytes, not %d; ContentHash.sha256(bytes) hashes bytes"
              .formatted(DIGEST_BYTES, digest.length));
    }
    return new ContentHash(
        bigEndian(digest, 0),
        bigEndian(digest, 8),
        bigEndian(digest, 16),
        bigEndian(digest, 24),
        false);
  }

  /** Computes the SHA-256 of the given bytes. */
  public static ContentHash sha256(byte[] bytes) {
    return of(newDigest().digest(bytes));
  }

  /**
   * Parses {@code sha256:} and 64 lower-case hexadecimal digits.
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

  /** Like {@link #parse}, but returns null if the text has another form. */
  public static @Nullable ContentHash tryParse(String text) {
    return text.startsWith(PREFIX) ? tryParseHex(text, PREFIX.length(), false) : null;
  }

  /**
   * Parses 64 lower-case hexadecimal digits, with or without {@code sha256:} before them; returns
   * null if the text has another form.
   */
  public static @Nullable ContentHash tryParseAnyForm(String text) {
    return text.startsWith(PREFIX) ? tryParse(text) : tryParseHex(text, 0, true);
  }

  /** Parses 64 lower-case hexadecimal digits; returns null if the text has another form. */
  public static @Nullable ContentHash tryParseHex(String hex) {
    return tryParseHex(hex, 0, false);
  }

  /**
   * Parses a range of an array of text in UTF-8 like {@link #tryParseAnyForm(String)}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public static @Nullable ContentHash tryParseAnyForm(byte[] ascii, int from, int to) {
    Objects.checkFromToIndex(from, to, ascii.length);
    int digits = from + PREFIX_BYTES.length;
    boolean hasPrefix =
        digits <= to && Arrays.equals(ascii, from, digits, PREFIX_BYTES, 0, PREFIX_BYTES.length);
    return tryParseHex(ascii, hasPrefix ? digits : from, to, !hasPrefix);
  }

  private static @Nullable ContentHash tryParseHex(String text, int from, boolean bare) {
    if (text.length() - from != HEX_LENGTH) {
      return null;
    }
    byte[] ascii = text.getBytes(StandardCharsets.ISO_8859_1); // "?" for other characters
    return tryParseHex(ascii, from, ascii.length, bare); // which is shorter if "?" is for a pair
  }

  private static @Nullable ContentHash tryParseHex(byte[] ascii, int from, int to, boolean bare) {
    if (to - from != HEX_LENGTH) {
      return null;
    }
    ContentHash hash = new ContentHash(
        word(ascii, from),
        word(ascii, from + 16),
        word(ascii, from + 32),
        word(ascii, from + 48),
        bare);
    return hash.isWrittenAs(ascii, from) ? hash : null;
  }

  /** The number that sixteen hexadecimal digits denote; any number if they are not digits. */
  private static long word(byte[] digits, int from) {
    long high = number(bigEndian(digits, from));
    return (high << 32) | (number(bigEndian(digits, from + 8)) & 0xffff_ffffL);
  }

  /** The number that eight hexadecimal digits in ASCII denote, one in each byte. */
  private static int number(long digits) {
    long nibbles = (digits & 0x0f0f_0f0f_0f0f_0f0fL) + (digits >>> 6 & 0x0101_0101_0101_0101L) * 9;
    nibbles = (nibbles | nibbles >>> 4) & 0x00ff_00ff_00ff_00ffL;
    nibbles = (nibbles | nibbles >>> 8) & 0x0000_ffff_0000_ffffL;
    return (int) (nibbles | nibbles >>> 16);
  }

  /** Whether these are the hexadecimal digits of this hash. */
  private boolean isWrittenAs(byte[] digits, int from) {
    return isWrittenAs(a, digits, from)
        && isWrittenAs(b, digits, from + 16)
        && isWrittenAs(c, digits, from + 32)
        && isWrittenAs(d, digits, from + 48);
  }

  private static boolean isWrittenAs(long value, byte[] digits, int from) {
    return hexDigits((int) (value >>> 32)) == bigEndian(digits, from)
        && hexDigits((int) value) == bigEndian(digits, from + 8);
  }

  /** Returns the 64 hexadecimal digits, without prefix. */
  public String hex() {
    byte[] ascii = new byte[HEX_LENGTH];
    writeHex(ascii, 0);
    return new String(ascii, StandardCharsets.ISO_8859_1);
  }

  /** Whether the hash was read from text without {@code sha256:}. */
  public boolean isBare() {
    return bare;
  }

  /**
   * Returns the text that the hash was read from, or the form with {@code sha256:} when it was not
   * read from text.
   */
  public String text() {
    return bare ? hex() : toString();
  }

  /**
   * Writes the 64 hexadecimal digits into an array, in ASCII, without creating a string.
   *
   * @return the index after the last digit
   * @throws IndexOutOfBoundsException if there is no room for the digits; some of them may have
   *     been written
   */
  public int writeHex(byte[] target, int from) {
    writeHex(a, target, from);
    writeHex(b, target, from + 16);
    writeHex(c, target, from + 32);
    writeHex(d, target, from + 48);
    return from + HEX_LENGTH;
  }

  /**
   * Writes the 32 bytes of the digest into an array.
   *
   * @return the index after the last byte
   * @throws IndexOutOfBoundsException if there is no room for the digest; a part of it may have
   *     been written
   */
  public int writeDigest(byte[] target, int from) {
    LONGS.set(target, from, a);
    LONGS.set(target, from + 8, b);
    LONGS.set(target, from + 16, c);
    LONGS.set(target, from + 24, d);
    return from + DIGEST_BYTES;
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

  /**
   * Returns {@code sha256:} and 64 hexadecimal digits, also for a {@linkplain #isBare bare} hash.
   */
  @Override
  public String toString() {
    byte[] ascii = Arrays.copyOf(PREFIX_BYTES, PREFIX_BYTES.length + HEX_LENGTH);
    writeHex(ascii, PREFIX_BYTES.length);
    return new String(ascii, StandardCharsets.ISO_8859_1);
  }

  private static long bigEndian(byte[] bytes, int from) {
    return (long) LONGS.get(bytes, from);
  }

  private static void writeHex(long value, byte[] target, int from) {
    LONGS.set(target, from, hexDigits((int) (value >>> 32)));
    LONGS.set(target, from + 8, hexDigits((int) value));
  }

  /** Returns the eight hexadecimal digits of a number in ASCII, one in each byte. */
  private static long hexDigits(int value) {
    long nibbles = value & 0xffff_ffffL;
    nibbles = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffffL;
    nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff_00ffL;
    nibbles = (nibbles | nibbles << 4) & 0x0f0f_0f0f_0f0f_0f0fL;
    long letters = (nibbles + 0x0606_0606_0606_0606L) >>> 4 & 0x0101_0101_0101_0101L;
    return nibbles + 0x3030_3030_3030_3030L + letters * ('a' - '9' - 1);
  }

  /** Creates a SHA-256 digest (FIPS 180-4), whose result {@link #of(byte[])} takes. */
  public static MessageDigest newDigest() {
    try {
      return (MessageDigest) UNUSED.clone();
    } catch (CloneNotSupportedException ofThisProvider) {
      return createDigest();
    }
  }

  private static MessageDigest createDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns a copy of a digest with the bytes that it has been given so far. */
  public static MessageDigest copyOf(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's SHA-256 cannot be copied", e);
    }
  }
}
