package dev.agentreplay.canonical;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import java.util.Arrays;

/**
 * Copies JSON text in its canonical form, in one pass and without building values.
 *
 * <p>The copy keeps the members in the order of the text. A {@link MemberTable} records the
 * positions of the members of each open object. Objects with unsorted members are recorded and all
 * sorted at the end, in one further copy, so that each byte is moved at most once more regardless
 * of its depth. Not safe for use by several threads; keeps its buffers for the next text.
 */
final class CanonicalScanner extends JsonScanner {

  /** The free space after the copy that a write may use before {@link #ensureRoom} runs again. */
  private static final int SLACK = 2 * NumberWriter.MAX_BYTES;

  private static final int INITIAL_BYTES = 512;
  private static final int MAX_KEPT_BYTES = 2 << 20;
  private static final int INITIAL_DEPTH = 16;
  private static final int MAX_KEPT_DEPTH = 1 << 14;
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;
  private static final int ARRAY = -1;

  private final NumberWriter numbers;
  private final MemberTable members;

  /**
   * The copy. It always has room for the rest of the text, since only numbers can become longer.
   */
  private byte[] out = new byte[INITIAL_BYTES];

  private int size;

  /** The target of {@link #rearrange}. */
  private byte[] spare = {};

  /** For each open container, the index of an object's first member in the table, or ARRAY. */
  private int[] open = new int[INITIAL_DEPTH];

  private int depth;

  CanonicalScanner(Canonicalization canonicalization, boolean roundsIntegers, JsonLimits limits) {
    super(limits);
    this.numbers = new NumberWriter(canonicalization, roundsIntegers);
    this.members = new MemberTable(canonicalization);
  }

  /**
   * Copies a text.
   *
   * @throws JsonSyntaxException if the text is not one JSON value, exceeds the limits, or contains
   *     an integer that the canonicalization would round
   */
  void scan(byte[] text, int from, int textTo) {
    depth = 0;
    size = 0;
    numbers.reset();
    members.reset();
    begin(text, from, textTo);
    ensureRoom();
    do {
      while (opensContainer()) {}
      while (depth > 0 && closesContainer()) {}
    } while (depth > 0);
    end();
    if (!members.rearrangement().isEmpty()) {
      rearrange();
    }
  }

  /** Drops the reference to the text and any buffer too large to keep for the next text. */
  void release() {
    forget();
    members.release();
    if (open.length > MAX_KEPT_DEPTH) {
      open = new int[INITIAL_DEPTH];
    }
    if (out.length > MAX_KEPT_BYTES) {
      out = new byte[INITIAL_BYTES];
    }
    if (spare.length > MAX_KEPT_BYTES) {
      spare = new byte[INITIAL_BYTES];
    }
  }

  /** The buffer with the canonical form in its first {@link #size} bytes. */
  byte[] buffer() {
    return out;
  }

  int size() {
    return size;
  }

  /** Whether the text has the same bytes in every canonical form. */
  boolean isPortable() {
    return numbers.isPortable() && members.isPortable();
  }

  /** Copies a value. Returns true if it opened a container whose first value comes next. */
  private boolean opensContainer() {
    int c = at(at);
    switch (c) {
      case '"' -> string();
      case '{' -> {
        return opensObject();
      }
      case '[' -> {
        return opensArray();
      }
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> {
        if (c != '-' && !isDigit(c)) {
          throw unexpected("a JSON value");
        }
        number();
      }
    }
    return false;
  }

  private boolean opensObject() {
    open('{', members.size());
    if (skip('}')) {
      close('}');
      return false;
    }
    name();
    return true;
  }

  private boolean opensArray() {
    open('[', ARRAY);
    if (skip(']')) {
      close(']');
      return false;
    }
    return true;
  }

  private void open(char bracket, int firstMember) {
    openBracket(depth);
    if (depth == open.length) {
      open = Arrays.copyOf(open, depth * 2);
    }
    open[depth++] = firstMember;
    out[size++] = (byte) bracket;
  }

  private void close(char bracket) {
    out[size++] = (byte) bracket;
    depth--;
  }

  /** Continues after a value in a container. Returns true if that value was the last one. */
  private boolean closesContainer() {
    int firstMember = open[depth - 1];
    if (firstMember == ARRAY) {
      if (!hasNextElement()) {
        close(']');
        return true;
      }
      out[size++] = ',';
      return false;
    }
    members.endValue(size);
    if (!hasNextMember()) {
      closeMembers(firstMember);
      close('}');
      return true;
    }
    out[size++] = ',';
    name();
    return false;
  }

  private void name() {
    int nameAt = at;
    int nameFrom = size;
    requireName();
    int firstMember = open[depth - 1];
    if (members.size() - firstMember == limits.maxMembers()
        || members.size() == MemberTable.MAX_MEMBERS) {
      throw tooManyMembers();
    }
    boolean escaped = string();
    members.add(firstMember, out, nameFrom, size, escaped, nameAt);
    skipColon();
    out[size++] = ':';
  }

  private void closeMembers(int first) {
    int duplicate = members.close(first, out, size);
    if (duplicate >= 0) {
      throw duplicate(members.nameAt(duplicate), members.name(duplicate, out));
    }
  }

  private void literal(String text) {
    skipLiteral(text);
    for (int i = 0; i < text.length(); i++) {
      out[size++] = (byte) text.charAt(i);
    }
  }

  private void number() {
    int start = at;
    boolean integer = skipNumber();
    int length = at - start;
    if (integer && NumberWriter.isCommon(bytes, start, length)) {
      for (int i = start; i < at; i++) {
        out[size++] = bytes[i];
      }
      return;
    }
    try {
      size = numbers.write(bytes, start, at, integer, out, size);
    } catch (ArithmeticException e) {
      throw error(Reason.NUMBER_RANGE, start, String.valueOf(e.getMessage()));
    }
    ensureRoom();
  }

  /** Copies a string, eight bytes at a time. Returns whether the copy contains escape sequences. */
  private boolean string() {
    byte[] in = bytes;
    byte[] copy = out;
    int i = at + 1;
    int o = size;
    boolean escaped = false;
    copy[o++] = '"';
    while (true) {
      while (i <= to - Long.BYTES) {
        long eight = (long) LONG.get(in, i);
        LONG.set(copy, o, eight);
        long special = special(eight);
        if (special != 0) {
          int plain = Long.numberOfTrailingZeros(special) >>> 3;
          i += plain;
          o += plain;
          break;
        }
        i += Long.BYTES;
        o += Long.BYTES;
      }
      if (i >= to) {
        throw unterminated();
      }
      byte b = in[i];
      if (b == '"') {
        break;
      }
      if (b < 0) {
        do {
          at = i;
          for (int end = i + sequenceLength(); i < end; i++) {
            copy[o++] = in[i];
          }
        } while (i < to && in[i] < 0);
      } else if (b == '\\') {
        int verbatim = verbatimEnd(i) - i;
        System.arraycopy(in, i, copy, o, verbatim);
        i += verbatim;
        o += verbatim;
        escaped |= verbatim > 0;
        if (at(i) != '\\') {
          continue;
        }
        at = i;
        int codePoint = escape();
        int end = CharacterWriter.write(codePoint, copy, o);
        escaped |= copy[o] == '\\';
        i = at;
        o = end;
      } else if (b < ' ') {
        throw controlCharacter(i);
      } else {
        copy[o++] = b;
        i++;
      }
    }
    copy[o++] = '"';
    at = i + 1;
    size = o;
    return escaped;
  }

  private void rearrange() {
    if (spare.length < size) {
      spare = new byte[out.length];
    }
    members.rearrangement().copy(out, size, spare);
    byte[] unordered = out;
    out = spare;
    spare = unordered;
  }

  private void ensureRoom() {
    long wanted = (long) size + (to - at) + SLACK;
    if (wanted > out.length) {
      if (wanted > MAX_ARRAY) {
        throw tooLong();
      }
      out = Arrays.copyOf(out, (int) Math.max(wanted, Math.min(MAX_ARRAY, 2L * out.length)));
    }
  }
}
