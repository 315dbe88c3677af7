package dev.agentreplay.io.log;

/**
 * Finds the first or the last byte of a JSON object by its brackets and quotes alone, in time
 * proportional to its length. A parser decides whether the bytes are an object.
 */
final class ObjectBounds {

  private ObjectBounds() {}

  /**
   * The index after the object that begins at {@code from}; -1 if it does not end before
   * {@code to}.
   */
  static int end(byte[] bytes, int from, int to) {
    int depth = 0;
    boolean inString = false;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (b == '"') {
        inString = !inString;
      } else if (inString) {
        i += b == '\\' ? 1 : 0;
      } else if (opens(b)) {
        depth++;
      } else if (closes(b) && --depth == 0) {
        return i + 1;
      }
    }
    return -1;
  }

  /**
   * The index of the object that ends at {@code to}; -1 if it does not begin at or after
   * {@code from}. The bytes before it may be truncated anywhere, also within a string: backslashes
   * occur only in strings, so that a backward scan can decide for each quote whether it is escaped.
   */
  static int begin(byte[] bytes, int from, int to) {
    int depth = 0;
    boolean inString = false;
    for (int i = to - 1; i >= from; i--) {
      byte b = bytes[i];
      if (b == '"') {
        int escapes = backslashesBefore(bytes, from, i);
        if (escapes % 2 == 0) {
          inString = !inString;
        }
        i -= escapes;
      } else if (!inString && closes(b)) {
        depth++;
      } else if (!inString && opens(b) && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private static int backslashesBefore(byte[] bytes, int from, int index) {
    int i = index;
    while (i > from && bytes[i - 1] == '\\') {
      i--;
    }
    return index - i;
  }

  private static boolean opens(byte b) {
    return b == '{' || b == '[';
  }

  private static boolean closes(byte b) {
    return b == '}' || b == ']';
  }
}
