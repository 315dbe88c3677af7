package dev.agentreplay.canonical.dialect;

import java.nio.charset.StandardCharsets;

/** The first bytes of a file: a range of an array. */
final class FileHead {

  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  private final byte[] bytes;
  private final int from;
  private final int to;

  FileHead(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  int size() {
    return to - from;
  }

  byte at(int index) {
    return bytes[from + index];
  }

  /**
   * Whether certain bytes are at an index.
   *
   * @param expected the bytes, each as the character with its value
   */
  boolean has(int index, String expected) {
    if (size() < index + expected.length()) {
      return false;
    }
    for (int i = 0; i < expected.length(); i++) {
      if ((at(index + i) & 0xff) != expected.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The same range without a UTF-8 byte order mark and without leading white space. */
  FileHead stripped() {
    int start = has(0, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
    while (start < size() && isSpace(at(start))) {
      start++;
    }
    return new FileHead(bytes, from + start, to);
  }

  /**
   * The index of the line feed that ends the line at an index; the end of the range if there is
   * none.
   */
  int endOfLine(int start) {
    int end = start;
    while (end < size() && at(end) != '\n') {
      end++;
    }
    return end;
  }

  /** A range of the bytes as text, each byte as the character with its value (ISO 8859-1). */
  String text(int start, int end) {
    return new String(bytes, from + start, end - start, StandardCharsets.ISO_8859_1);
  }

  /** A copy of the first bytes with additional room after them. */
  byte[] copy(int length, int room) {
    byte[] copy = new byte[length + room];
    System.arraycopy(bytes, from, copy, 0, length);
    return copy;
  }

  static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }
}
