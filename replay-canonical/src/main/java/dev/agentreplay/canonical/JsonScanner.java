package dev.agentreplay.canonical;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.text.Excerpt;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A cursor over JSON text in UTF-8 that enforces RFC 8259 and RFC 3629 strictly. */
abstract class JsonScanner {

  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
  static final long HIGH_BITS = EACH_BYTE << 7;

  private static final int END = -1;
  private static final byte[] NONE = {};

  /**
   * For each ASCII character that ends an escape sequence of two characters in canonical text, the
   * character that is escaped; zero for others.
   */
  static final byte[] ESCAPED = new byte[128];

  static {
    String escapes = "\"\"\\\\b\bf\fn\nr\rt\t";
    for (int i = 0; i < escapes.length(); i += 2) {
      ESCAPED[escapes.charAt(i)] = (byte) escapes.charAt(i + 1);
    }
  }

  final JsonLimits limits;
  byte[] bytes = NONE;
  int to;

  /** The current index. */
  int at;

  /** Whether white space was skipped. */
  boolean spaced;

  private int from;

  JsonScanner(JsonLimits limits) {
    this.limits = limits;
  }

  /** Starts a text and moves to its value. */
  final void begin(byte[] text, int textFrom, int textTo) {
    bytes = text;
    from = textFrom;
    to = textTo;
    at = textFrom;
    spaced = false;
    if (to - from > limits.maxBytes()) {
      throw beyond(from, "text is longer than " + limits.maxBytes() + " bytes");
    }
    int first = at(from);
    int second = at(from + 1);
    if (first == 0xef && second == 0xbb && at(from + 2) == 0xbf) {
      throw error(Reason.ENCODING, from, "byte order mark");
    }
    boolean marked = first >= 0xfe && second >= 0xfe;
    if (marked || (second >= 0 && (first == 0 || second == 0))) {
      throw error(Reason.ENCODING, from, "expected UTF-8, found what looks like UTF-16 or UTF-32");
    }
    skipWhiteSpace();
  }

  /** Moves to where another scanner is in its text. */
  final void follow(JsonScanner other) {
    bytes = other.bytes;
    from = other.from;
    to = other.to;
    at = other.at;
  }

  /** Drops the reference to the text. */
  final void forget() {
    bytes = NONE;
  }

  /** Ends a text: checks that only white space follows its value. */
  final void end() {
    skipWhiteSpace();
    if (at < to) {
      throw unexpected("nothing more after the value");
    }
  }

  /** The byte at an index; a negative number beyond the end of the text. */
  final int at(int index) {
    return index < to ? bytes[index] & 0xff : END;
  }

  final void skipWhiteSpace() {
    while (at < to && bytes[at] <= ' ' && isWhiteSpace(bytes[at])) {
      at++;
      spaced = true;
    }
  }

  private static boolean isWhiteSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  final boolean skip(char c) {
    if (at(at) != c) {
      return false;
    }
    at++;
    return true;
  }

  final void skipLiteral(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (at(at + i) != text.charAt(i)) {
        throw unexpected("a JSON value");
      }
    }
    at += text.length();
  }

  /** Skips a number. Returns whether it has neither a fraction nor an exponent. */
  final boolean skipNumber() {
    int start = at;
    boolean integer = true;
    skip('-');
    if (!skip('0')) {
      skipDigits();
    }
    if (skip('.')) {
      integer = false;
      skipDigits();
    }
    if ((at(at) | 0x20) == 'e') {
      integer = false;
      at++;
      if (!skip('+')) {
        skip('-');
      }
      skipDigits();
    }
    if (at - start > limits.maxNumberLength()) {
      throw beyond(start, "number is longer than " + limits.maxNumberLength() + " bytes");
    }
    return integer;
  }

  private void skipDigits() {
    if (!isDigit(at(at))) {
      throw unexpected("a digit");
    }
    int i = at + 1;
    while (i < to && isDigit(bytes[i])) {
      i++;
    }
    at = i;
  }

  /**
   * Skips an opening bracket.
   *
   * @param depth the number of open containers around it
   */
  final void openBracket(int depth) {
    if (depth == limits.maxDepth()) {
      throw beyond(at, "nested deeper than " + limits.maxDepth());
    }
    at++;
    skipWhiteSpace();
  }

  /**
   * Moves past an element. Returns whether a further one follows; otherwise the array is closed.
   */
  final boolean hasNextElement() {
    return hasNext(']', "',' or ']' after an element");
  }

  /** Moves past a member. Returns whether a further one follows; otherwise the object is closed. */
  final boolean hasNextMember() {
    return hasNext('}', "',' or '}' after a member");
  }

  private boolean hasNext(char closing, String expected) {
    skipWhiteSpace();
    int c = at(at);
    if (c != ',' && c != closing) {
      throw unexpected(expected);
    }
    at++;
    if (c == closing) {
      return false;
    }
    skipWhiteSpace();
    return true;
  }

  /**
   * A mask with the high bit set for each byte that is a quote, a backslash, a control character or
   * not ASCII. Only the lowest set bit is reliable.
   */
  static long special(long eight) {
    long quote = eight ^ '"' * EACH_BYTE;
    long backslash = eight ^ '\\' * EACH_BYTE;
    // a borrow into a byte comes from a lower special byte, so the lowest set bit is always right
    return ((quote - EACH_BYTE) | (backslash - EACH_BYTE) | (eight - ' ' * EACH_BYTE) | eight)
        & HIGH_BITS;
  }

  /**
   * The index of the first byte that is a quote, a backslash, a control character or not ASCII; the
   * end of the text if there is none.
   */
  final int plainEnd(int start) {
    return plainEnd(bytes, start, to);
  }

  /** Finds the end of plain bytes in a range of an array like {@link #plainEnd(int)}. */
  static int plainEnd(byte[] in, int start, int to) {
    int i = start;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long special = special((long) LONG.get(in, i));
      if (special != 0) {
        return i + (Long.numberOfTrailingZeros(special) >>> 3);
      }
    }
    while (i < to && in[i] >= ' ' && in[i] != '"' && in[i] != '\\') {
      i++;
    }
    return i;
  }

  /**
   * The index of the first byte of a string that is a quote, not ASCII, or an error, or begins an
   * escape sequence other than the short ones of canonical text; the end of the text if there is
   * none. All bytes before it are the same in canonical text.
   *
   * @param start an index in the string, not within an escape sequence
   */
  final int verbatimEnd(int start) {
    byte[] in = bytes;
    int i = start;
    while (true) {
      long escape = 0; // the high bit of the first byte, if it is escaped by the one before
      for (; i <= to - Long.BYTES; i += Long.BYTES) {
        long eight = (long) LONG.get(in, i);
        if ((((eight - ' ' * EACH_BYTE) | eight) & HIGH_BITS) != 0) {
          break;
        }
        long quotes = equal(eight, '"');
        long backslashes = equal(eight, '\\');
        long escaped = (backslashes << Byte.SIZE) | escape;
        long isShort = quotes | equal(eight, 'n');
        if (((quotes & ~escaped) | (escaped & ~isShort)) != 0) {
          break;
        }
        escape = backslashes >>> (Long.SIZE - Byte.SIZE);
      }
      if (escape != 0) {
        i--;
      }
      for (int end = Math.min(i + Long.BYTES, to); i < end; i++) {
        byte b = in[i];
        if (b == '\\' && i + 1 < to && in[i + 1] >= 0 && ESCAPED[in[i + 1]] != 0) {
          i++;
        } else if (b < ' ' || b == '"' || b == '\\') {
          return i;
        }
      }
      if (i >= to) {
        return to;
      }
    }
  }

  /**
   * A mask with the high bit set for each byte that is a backslash. Only the lowest set bit is
   * reliable.
   */
  static long backslashes(long eight) {
    long zeros = eight ^ '\\' * EACH_BYTE;
    return (zeros - EACH_BYTE) & ~zeros & HIGH_BITS;
  }

  /** A mask with the high bit set for each byte that is a character; all bytes must be ASCII. */
  private static long equal(long eight, char c) {
    return ~((eight ^ c * EACH_BYTE) + ~HIGH_BITS) & HIGH_BITS;
  }

  final void requireName() {
    if (at(at) != '"') {
      throw unexpected("a name in quotes");
    }
  }

  /** Moves from the end of a name to the value. */
  final void skipColon() {
    skipWhiteSpace();
    if (!skip(':')) {
      throw unexpected("':' after a name");
    }
    skipWhiteSpace();
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /**
   * The length of the UTF-8 sequence at the current index. Accepts only the sequences of RFC 3629,
   * section 4, which excludes overlong forms and surrogates.
   */
  final int sequenceLength() {
    int b = at(at);
    int second = at(at + 1);
    int lowest = b == 0xe0 ? 0xa0 : b == 0xf0 ? 0x90 : 0x80;
    int highest = b == 0xed ? 0x9f : b == 0xf4 ? 0x8f : 0xbf;
    int length = b >= 0xc2 && b <= 0xdf ? 2 : b >= 0xe0 && b <= 0xef ? 3 : 4;
    boolean valid = b >= 0xc2
        && b <= 0xf4
        && second >= lowest
        && second <= highest
        && (length < 3 || isContinuation(at + 2))
        && (length < 4 || isContinuation(at + 3));
    if (!valid) {
      throw error(Reason.ENCODING, at, "invalid UTF-8, byte 0x%02x".formatted(b));
    }
    return length;
  }

  private boolean isContinuation(int index) {
    return (at(index) & 0xc0) == 0x80;
  }

  /** Skips an escape sequence. Returns the code point that it denotes. */
  final int escape() {
    int start = at;
    at++;
    int c = at(at);
    int decoded =
        switch (c) {
          case '"', '\\', '/' -> c;
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'u' -> unicodeEscape(start);
          default -> throw unexpected("one of \"\\/bfnrtu after '\\'");
        };
    if (c != 'u') {
      at++;
    }
    return decoded;
  }

  private int unicodeEscape(int start) {
    char c = hexDigits();
    if (!Character.isSurrogate(c)) {
      return c;
    }
    if (Character.isHighSurrogate(c) && at(at) == '\\' && at(at + 1) == 'u') {
      at++;
      char low = hexDigits();
      if (Character.isLowSurrogate(low)) {
        return Character.toCodePoint(c, low);
      }
    }
    throw error(Reason.ENCODING, start, "lone surrogate U+%04X".formatted((int) c));
  }

  /** Reads the four digits after a {@code u}. */
  private char hexDigits() {
    at++;
    int value = 0;
    for (int i = 0; i < 4; i++, at++) {
      int digit = at(at) < 0 || at(at) >= 0x80 ? -1 : Character.digit(at(at), 16);
      if (digit < 0) {
        throw unexpected("four hexadecimal digits after '\\u'");
      }
      value = value << 4 | digit;
    }
    return (char) value;
  }

  final JsonSyntaxException tooLong() {
    return beyond(at, "text and its canonical form do not fit into memory together");
  }

  final JsonSyntaxException tooManyMembers() {
    return beyond(at, "object has more than " + limits.maxMembers() + " members");
  }

  /**
   * The error for a repeated name of an object.
   *
   * @param name the name as JSON text
   */
  final JsonSyntaxException duplicate(int nameAt, String name) {
    return error(Reason.DUPLICATE_KEY, nameAt, "duplicate name " + Excerpt.of(name));
  }

  final JsonSyntaxException controlCharacter(int index) {
    return error(
        Reason.SYNTAX,
        index,
        "unescaped control character U+%04X in a string".formatted(at(index)));
  }

  final JsonSyntaxException unterminated() {
    at = to;
    return unexpected("'\"' at the end of a string");
  }

  final JsonSyntaxException unexpected(String expected) {
    return error(Reason.SYNTAX, at, "expected " + expected + ", found " + found());
  }

  private String found() {
    int c = at(at);
    if (c == END) {
      return "the end";
    }
    return c > 0x20 && c < 0x7f ? "'" + (char) c + "'" : "byte 0x%02x".formatted(c);
  }

  private JsonSyntaxException beyond(int index, String detail) {
    return error(Reason.LIMIT, index, detail);
  }

  final JsonSyntaxException error(Reason reason, int index, String detail) {
    return new JsonSyntaxException(reason, index - from, detail);
  }
}
