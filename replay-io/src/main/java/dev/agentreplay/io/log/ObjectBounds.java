package dev.agentreplay.io.log;

/**
 * Finds where an object in JSON ends or begins, by its brackets and quotes alone, in time in
 * proportion to its length. Whether it is one is for a parser to say.
 */
final class ObjectBounds {

  private ObjectBounds() {}

  /** Where the object ends that begins at {@code from}; -1 if it does not before {@code to}. */
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
   * Where the object begins that ends at {@code to}; -1 if it does not after {@code from}. What is
   * before it may be cut short anywhere, in a string as well: in an object there is no backslash
   * but in strings, so that backwards each quote shows whether it is one.
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
