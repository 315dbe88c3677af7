package dev.agentreplay.canonical;

import java.util.Arrays;

/**
 * Checks a value in a JSON text without creating it, if the text is the same in every canonical
 * form and all names are ASCII. Any other value, such as one with an error, has to be parsed. Does
 * not recurse. Not safe for use by several threads.
 */
final class CanonicalSkipper extends JsonScanner {

  /** Returned by {@link #skip} if the value has to be parsed. */
  static final int UNKNOWN = -1;

  private static final int INITIAL_DEPTH = 16;

  /** In place of the index of a name: there was none in the open object yet. */
  private static final int NO_NAME = -1;

  /** In place of the index of a name: the open container is an array. */
  private static final int ARRAY = -2;

  private final NumberForms numbers;

  /** For each open container, the index of the first byte of its last name. */
  private int[] nameFrom = new int[INITIAL_DEPTH];

  /** For each open container, the index after the last byte of its last name. */
  private int[] nameTo = new int[INITIAL_DEPTH];

  private final byte[] written = new byte[CharacterWriter.MAX_BYTES];
  private int maxDepth;
  private int open;
  private int deepest;

  /** The number of names in the value so far, which is at least that of each of its objects. */
  private int names;

  CanonicalSkipper(JsonLimits limits, NumberForms numbers) {
    super(limits);
    this.numbers = numbers;
  }

  /**
   * Checks the value at the current index of another scanner, which stays there. Returns the index
   * after the value; UNKNOWN if it has to be parsed.
   *
   * @param around the number of open containers around the value
   * @throws JsonSyntaxException the one that parsing the value would throw
   */
  int skip(JsonScanner scanner, int around) {
    follow(scanner);
    maxDepth = limits.maxDepth() - around;
    open = 0;
    deepest = 0;
    names = 0;
    int i = at;
    do {
      i = value(i);
      if (i != UNKNOWN) {
        i = next(i);
      }
    } while (i != UNKNOWN && open > 0);
    return i;
  }

  /** The depth of the value that was skipped. */
  int depth() {
    return deepest;
  }

  /**
   * Skips a value, or opens containers and skips the first value in them. Returns the index after
   * it.
   */
  private int value(int from) {
    int i = from;
    while (true) {
      int c = at(i);
      if (c != '{' && c != '[') {
        return c == '"' ? skipString(i + 1) : scalar(i, c);
      }
      if (open == maxDepth) {
        return UNKNOWN;
      }
      deepest = Math.max(deepest, open + 1);
      i++;
      if (at(i) == c + 2) { // the closing bracket
        return i + 1;
      }
      if (open == nameFrom.length) {
        nameTo = Arrays.copyOf(nameTo, open * 2);
        nameFrom = Arrays.copyOf(nameFrom, open * 2); // last: its length is that of both
      }
      nameFrom[open++] = c == '[' ? ARRAY : NO_NAME;
      if (c == '{') {
        i = name(i);
        if (i == UNKNOWN) {
          return UNKNOWN;
        }
      }
    }
  }

  /**
   * Closes the containers that end after a value. Returns the index of the next value, or after the
   * outermost one.
   */
  private int next(int from) {
    int i = from;
    while (open > 0) {
      boolean isArray = nameFrom[open - 1] == ARRAY;
      int c = at(i);
      i++;
      if (c == ',') {
        return isArray ? i : name(i);
      }
      if (c != (isArray ? ']' : '}')) {
        return UNKNOWN;
      }
      open--;
    }
    return i;
  }

  /**
   * Skips a name, which has to be greater than the one before it, and the colon. Returns the index
   * after it.
   */
  private int name(int quote) {
    int from = quote + 1;
    if (at(quote) != '"' || ++names > limits.maxMembers()) {
      return UNKNOWN;
    }
    int end = plainEnd(from);
    if (at(end) != '"' || at(end + 1) != ':') {
      return UNKNOWN;
    }
    int before = nameFrom[open - 1];
    if (before != NO_NAME
        && (bytes[before] >= bytes[from] || from == end)
        && Arrays.compare(bytes, before, nameTo[open - 1], bytes, from, end) >= 0) {
      return UNKNOWN;
    }
    nameFrom[open - 1] = from;
    nameTo[open - 1] = end;
    return end + 2;
  }

  private int scalar(int from, int c) {
    return switch (c) {
      case 't' -> literal(from, "true");
      case 'f' -> literal(from, "false");
      case 'n' -> literal(from, "null");
      default -> c == '-' || isDigit(c) ? number(from) : UNKNOWN;
    };
  }

  private int literal(int from, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (at(from + i) != text.charAt(i)) {
        return UNKNOWN;
      }
    }
    return from + text.length();
  }

  private int number(int from) {
    at = from;
    boolean integer = skipNumber();
    boolean isCommon = (integer && NumberWriter.isCommon(bytes, from, at - from))
        || numbers.isCommonForm(bytes, from, at, integer);
    return isCommon ? at : UNKNOWN;
  }

  /**
   * Checks the rest of a string in the text of another scanner.
   *
   * @param from an index within the string, not within an escape sequence
   */
  int skipString(JsonScanner scanner, int from) {
    follow(scanner);
    return skipString(from);
  }

  private int skipString(int from) {
    int i = verbatimEnd(from);
    while (at(i) != '"') {
      if (at(i) == '\\') {
        int length = longEscape(i);
        if (length == 0) {
          return UNKNOWN;
        }
        i += length;
      } else if (at(i) >= 0x80) {
        at = i;
        i += sequenceLength();
      } else {
        return UNKNOWN; // a control character, or the end of the text
      }
      i = verbatimEnd(i);
    }
    return i + 1;
  }

  /** The length of an escape sequence of a code point if it is canonical, otherwise 0. */
  private int longEscape(int index) {
    at = index;
    int length = CharacterWriter.write(escape(), written, 0);
    return Arrays.equals(written, 0, length, bytes, index, at) ? length : 0;
  }
}
