package dev.agentreplay.canonical;

import java.util.Arrays;

/** Writes the characters of canonical JSON strings (RFC 8785, section 3.2.2.2). */
final class CharacterWriter {

  /** The maximum number of bytes of one character. */
  public static final int MAX_BYTES = 6;

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  /** The ASCII characters that need no escape in a string. */
  private static final boolean[] PLAIN = plain();

  private CharacterWriter() {}

  /** Whether a character is written without an escape, in one byte. */
  public static boolean isPlain(char c) {
    return c < PLAIN.length && PLAIN[c];
  }

  /**
   * Writes a code point: as an escape sequence if it needs one, otherwise in UTF-8.
   *
   * @param out the target, with room for {@link #MAX_BYTES} bytes
   * @param at the index to write to
   * @return the index after the character
   */
  public static int write(int codePoint, byte[] out, int at) {
    if (codePoint >= 0x80) {
      return utf8(codePoint, out, at);
    }
    if (codePoint < 0x20 || codePoint == '"' || codePoint == '\\') {
      return escape(codePoint, out, at);
    }
    out[at] = (byte) codePoint;
    return at + 1;
  }

  /** The character that an escape sequence written by {@link #write} denotes. */
  public static int escaped(byte[] text, int at) {
    return switch (text[at + 1]) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> Character.digit(text[at + 4], 16) << 4 | Character.digit(text[at + 5], 16);
      default -> text[at + 1];
    };
  }

  /** The length in bytes of an escape sequence written by {@link #write}. */
  public static int escapeLength(byte[] text, int at) {
    return text[at + 1] == 'u' ? MAX_BYTES : 2;
  }

  private static boolean[] plain() {
    boolean[] plain = new boolean[0x80];
    Arrays.fill(plain, 0x20, plain.length, true);
    plain['"'] = false;
    plain['\\'] = false;
    return plain;
  }

  private static int utf8(int codePoint, byte[] out, int at) {
    int end = at;
    if (codePoint < 0x800) {
      out[end++] = (byte) (0xc0 | (codePoint >> 6));
    } else {
      if (codePoint < 0x10000) {
        out[end++] = (byte) (0xe0 | (codePoint >> 12));
      } else {
        out[end++] = (byte) (0xf0 | (codePoint >> 18));
        out[end++] = continuation(codePoint >> 12);
      }
      out[end++] = continuation(codePoint >> 6);
    }
    out[end++] = continuation(codePoint);
    return end;
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3f));
  }

  private static int escape(int c, byte[] out, int at) {
    out[at] = '\\';
    switch (c) {
      case '"', '\\' -> out[at + 1] = (byte) c;
      case '\b' -> out[at + 1] = 'b';
      case '\f' -> out[at + 1] = 'f';
      case '\n' -> out[at + 1] = 'n';
      case '\r' -> out[at + 1] = 'r';
      case '\t' -> out[at + 1] = 't';
      default -> {
        out[at + 1] = 'u';
        out[at + 2] = '0';
        out[at + 3] = '0';
        out[at + 4] = HEX[c >> 4];
        out[at + 5] = HEX[c & 0xf];
        return at + MAX_BYTES;
      }
    }
    return at + 2;
  }
}
