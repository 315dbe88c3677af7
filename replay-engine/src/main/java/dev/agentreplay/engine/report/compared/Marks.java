package dev.agentreplay.engine.report.compared;

import dev.agentreplay.engine.diff.ValueChange.Replacement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks the replaced parts of texts, so that they can still be found in the strings of a text that
 * is parsed as JSON. Each replaced part and its replacement are enclosed by three delimiter
 * characters that occur in neither text.
 */
public record Marks(char open, char middle, char close) {

  private static final int FIRST = 0xE000;
  private static final int LAST = 0xF8FF;
  private static final int ESCAPE = 5;

  /**
   * Chooses three characters of the Unicode private use area that occur in neither text, nor as an
   * escape; null if there are not enough of them.
   */
  public static @Nullable Marks notIn(ComparedText left, ComparedText right) {
    BitSet used = new BitSet();
    for (ComparedText text : List.of(left, right)) {
      collect(text.recorded(), used);
      collect(text.compared(), used);
    }
    int open = used.nextClearBit(FIRST);
    int middle = used.nextClearBit(open + 1);
    int close = used.nextClearBit(middle + 1);
    return close > LAST ? null : new Marks((char) open, (char) middle, (char) close);
  }

  private static void collect(String text, BitSet used) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= FIRST && c <= LAST) {
        used.set(c);
      } else if (c == 'u' && i + ESCAPE <= text.length()) {
        used.set(escaped(text, i + 1, i + ESCAPE));
      }
    }
  }

  /** The character of four hexadecimal digits; 0 if they are not digits. */
  private static int escaped(String text, int from, int to) {
    int c = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0) {
        return 0;
      }
      c = 16 * c + digit;
    }
    return c;
  }

  /** Returns the three characters. */
  @Override
  public String toString() {
    return new String(new char[] {open, middle, close});
  }

  /** Returns the recorded text with marks at its replaced parts. */
  public String mark(ComparedText text) {
    String recorded = text.recorded();
    StringBuilder out = new StringBuilder(recorded.length());
    int copied = 0;
    for (Replacement replacement : text.replacements()) {
      out.append(recorded, copied, replacement.start()).append(open);
      out.append(recorded, replacement.start(), replacement.end()).append(middle);
      out.append(replacement.text()).append(close);
      copied = replacement.end();
    }
    return out.append(recorded, copied, recorded.length()).toString();
  }

  /**
   * Parses a marked text.
   *
   * @throws IllegalArgumentException if it has only some of the marks of a replacement
   */
  public ComparedText text(String marked) {
    StringBuilder recorded = new StringBuilder(marked.length());
    List<Replacement> replacements = new ArrayList<>();
    int copied = 0;
    for (int at = marked.indexOf(open); at >= 0; at = marked.indexOf(open, copied)) {
      int second = marked.indexOf(middle, at);
      int third = second < 0 ? -1 : marked.indexOf(close, second);
      if (third < 0) {
        throw new IllegalArgumentException("a mark is missing");
      }
      recorded.append(marked, copied, at);
      int start = recorded.length();
      recorded.append(marked, at + 1, second);
      replacements.add(
          new Replacement(start, recorded.length(), marked.substring(second + 1, third)));
      copied = third + 1;
    }
    recorded.append(marked, copied, marked.length());
    if (recorded.indexOf(String.valueOf(middle)) >= 0
        || recorded.indexOf(String.valueOf(close)) >= 0) {
      throw new IllegalArgumentException("a mark is missing");
    }
    return ComparedText.of(recorded.toString(), replacements);
  }
}
