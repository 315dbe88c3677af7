package dev.agentreplay.io.internal;

/** Paths for people to read. */
public final class PathText {

  private PathText() {}

  /** A path for a message, which must not control a terminal, nor show itself as another one. */
  public static String escaped(String path) {
    StringBuilder shown = new StringBuilder();
    path.codePoints().forEach(c -> {
      if (isVisible(c)) {
        shown.appendCodePoint(c);
      } else {
        for (char unit : Character.toChars(c)) {
          shown.append("\\u%04x".formatted((int) unit));
        }
      }
    });
    return shown.toString();
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE -> false;
      default -> true;
    };
  }
}
