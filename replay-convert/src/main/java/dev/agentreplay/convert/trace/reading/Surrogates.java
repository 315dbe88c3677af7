package dev.agentreplay.convert.trace.reading;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Escaped surrogates without their partner, as programs write them that cut a text in the middle of
 * a character. They are not Unicode, and no canonical form has them.
 */
final class Surrogates {

  private static final int ESCAPE_LENGTH = 6;
  private static final byte[] REPLACEMENT = "\\ufffd".getBytes(StandardCharsets.US_ASCII);

  private Surrogates() {}

  /**
   * Returns a copy in which each escaped surrogate without its partner is U+FFFD; null if there is
   * none.
   */
  static byte @Nullable [] repair(byte[] json, int from, int to) {
    byte[] copy = null;
    for (int i = from; i < to - 1; i++) {
      if (json[i] != '\\') {
        continue;
      }
      int unit = unit(json, i, to);
      if (unit < 0 || !Character.isSurrogate((char) unit)) {
        i += unit < 0 ? 1 : ESCAPE_LENGTH - 1;
        continue;
      }
      int next = unit(json, i + ESCAPE_LENGTH, to);
      if (Character.isHighSurrogate((char) unit)
          && next >= 0
          && Character.isLowSurrogate((char) next)) {
        i += 2 * ESCAPE_LENGTH - 1;
        continue;
      }
      copy = copy == null ? Arrays.copyOfRange(json, from, to) : copy;
      System.arraycopy(REPLACEMENT, 0, copy, i - from, REPLACEMENT.length);
      i += ESCAPE_LENGTH - 1;
    }
    return copy;
  }

  /** The UTF-16 unit that is escaped at an index; negative if there is none. */
  private static int unit(byte[] json, int at, int to) {
    if (at + ESCAPE_LENGTH > to || json[at] != '\\' || json[at + 1] != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = at + 2; i < at + ESCAPE_LENGTH; i++) {
      int digit = Character.digit(json[i], 16);
      if (digit < 0) {
        return -1;
      }
      unit = unit << 4 | digit;
    }
    return unit;
  }
}
