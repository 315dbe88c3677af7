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
  private int names;
  private boolean isKnown;

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
    do {
      isKnown = value();
    } while (isKnown && hasNextValue());
    return isKnown ? at : UNKNOWN;
  }

  /** The depth of the value that was skipped. */
  int depth() {
    return deepest;
  }

  /** Skips a value, or opens containers and skips the first value in them. */
  private boolean value() {
    while (true) {
      int c = at(at);
      if (c != '{' && c != '[') {
        return c == '"' ? string() : scalar(c);
      }
      if (open == maxDepth) {
        return false;
      }
      deepest = Math.max(deepest, open + 1);
      at++;
      if (at(at) == c + 2) { // the closing bracket
        at++;
        return true;
      }
      if (open == nameFrom.length) {
        nameFrom = Arrays.copyOf(nameFrom, open * 2);
        nameTo = Arrays.copyOf(nameTo, open * 2);
      }
      nameFrom[open++] = c == '[' ? ARRAY : NO_NAME;
      if (c == '{' && !name()) {
        return false;
      }
    }
  }

  /** Closes the containers that end after a value. Returns whether a further value follows. */
  private boolean hasNextValue() {
    while (open > 0) {
      boolean isArray = nameFrom[open - 1] == ARRAY;
      int c = at(at);
      if (c == ',') {
        at++;
        isKnown = isArray || name();
        return isKnown;
      }
      if (c != (isArray ? ']' : '}')) {
        isKnown = false;
        return false;
      }
      at++;
      open--;
    }
    return false;
  }

  /** Skips a name, which has to be greater than the one before it, and the colon. */
  private boolean name() {
    int from = at + 1;
    if (at(at) != '"' || ++names > limits.maxMembers()) {
      return false;
    }
    int end = plainEnd(from);
    if (at(end) != '"' || at(end + 1) != ':') {
      return false;
    }
    int before = nameFrom[open - 1];
    if (before != NO_NAME
        && bytes[before] >= bytes[from]
        && Arrays.compare(bytes, before, nameTo[open - 1], bytes, from, end) >= 0) {
      return false;
    }
    nameFrom[open - 1] = from;
    nameTo[open - 1] = end;
    at = end + 2;
    return true;
  }

  private boolean scalar(int c) {
    return switch (c) {
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> (c == '-' || isDigit(c)) && number();
    };
  }

  private boolean literal(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (at(at + i) != text.charAt(i)) {
        return false;
      }
    }
    at += text.length();
    return true;
  }

  private boolean number() {
    int start = at;
    boolean integer = skipNumber();
    return (integer && NumberWriter.isCommon(bytes, start, at - start))
        || numbers.isCommonForm(bytes, start, at, integer);
  }

  private boolean string() {
    int end = skipString(at + 1);
    at = end;
    return end != UNKNOWN;
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
