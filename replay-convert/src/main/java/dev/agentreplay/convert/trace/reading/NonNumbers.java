package dev.agentreplay.convert.trace.reading;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The words {@code NaN}, {@code Infinity} and {@code -Infinity} as values, which Python writes, and
 * which JSON does not have.
 */
final class NonNumbers {

  private static final List<String> WORDS = List.of("NaN", "Infinity", "-Infinity");

  private NonNumbers() {}

  /** Returns a copy in which each word is a string; null if there is none. */
  static byte @Nullable [] repair(byte[] json, int from, int to) {
    ByteArrayOutputStream copy = null;
    int copied = from;
    boolean isText = false;
    for (int i = from; i < to; i++) {
      byte b = json[i];
      if (isText && b == '\\') {
        i++;
      } else if (b == '"') {
        isText = !isText;
      } else if (!isText && (b == 'N' || b == 'I' || b == '-')) {
        String word = word(json, i, to);
        if (word != null) {
          copy = copy == null ? new ByteArrayOutputStream(to - from + 64) : copy;
          copy.write(json, copied, i - copied);
          copy.writeBytes(('"' + word + '"').getBytes(US_ASCII));
          copied = i + word.length();
          i = copied - 1;
        }
      }
    }
    if (copy == null) {
      return null;
    }
    copy.write(json, copied, to - copied);
    return copy.toByteArray();
  }

  private static @Nullable String word(byte[] json, int at, int to) {
    for (String word : WORDS) {
      if (at + word.length() <= to && new String(json, at, word.length(), US_ASCII).equals(word)) {
        return word;
      }
    }
    return null;
  }
}
