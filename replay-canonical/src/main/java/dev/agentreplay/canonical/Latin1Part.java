package dev.agentreplay.canonical;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A part of a text in ISO 8859-1. Converting a long text in parts, and searching their bytes, is
 * faster than reading its characters, and allocates nothing. Not safe for use by several threads.
 */
final class Latin1Part {

  /** The maximum number of characters of a part. */
  static final int MAX_LENGTH = 1 << 10;

  private final CharsetEncoder encoder = StandardCharsets.ISO_8859_1.newEncoder();
  private final char[] chars = new char[MAX_LENGTH];
  private final byte[] bytes = new byte[MAX_LENGTH];
  private final CharBuffer in = CharBuffer.wrap(chars);
  private final ByteBuffer out = ByteBuffer.wrap(bytes);

  /**
   * Converts a range of a text, of at most {@value #MAX_LENGTH} characters. Returns whether this is
   * possible.
   */
  boolean set(String text, int from, int to) {
    text.getChars(from, to, chars, 0);
    encoder.reset();
    return !encoder.encode(in.clear().limit(to - from), out.clear(), true).isError();
  }

  /** The bytes. */
  byte[] bytes() {
    return bytes;
  }
}
