package dev.agentreplay.canonical.dialect;

import java.nio.charset.StandardCharsets;

/** The beginning of a file: a part of an array. */
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

  /** Whether it has certain bytes at an index, each given as the character of its value. */
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

  /** The same without a byte order mark of UTF-8, and without the white space that follows. */
  FileHead stripped() {
    int start = has(0, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
    while (start < size() && isSpace(at(start))) {
      start++;
    }
    return new FileHead(bytes, from + start, to);
  }

  /** Where the line ends that begins at an index: at its line feed, or at the end. */
  int endOfLine(int start) {
    int end = start;
    while (end < size() && at(end) != '\n') {
      end++;
    }
    return end;
  }

  /** Some of its bytes as text, each the character of its value. */
  String text(int start, int end) {
    return new String(bytes, from + start, end - start, StandardCharsets.ISO_8859_1);
  }

  /** Copies the first bytes, and makes room for more. */
  byte[] copy(int length, int room) {
    byte[] copy = new byte[length + room];
    System.arraycopy(bytes, from, copy, 0, length);
    return copy;
  }

  static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }
}
