package dev.agentreplay.engine.diff.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A text while rules replace parts of it, one rule after the other. A traced one records the parts
 * of the recorded text that were replaced. Not safe for use by several threads.
 */
public final class Rewriting {

  /** The most replacements of a text that are reported one by one. */
  static final int MAX_REPLACEMENTS = 10_000;

  /** The number of reported replacements before the place of interest. */
  private static final int BEFORE = MAX_REPLACEMENTS / 10;

  /**
   * The number of integers of an edit: start and end of a part in the text before, start and end of
   * its replacement in the text after.
   */
  private static final int EDIT = 4;

  private static final int[] NONE = {};

  /**
   * A part of the recorded text that was replaced.
   *
   * @param start the offset of its first character in the recorded text
   * @param end the offset after its last character in the recorded text
   * @param text the replacement
   */
  public record Part(int start, int end, String text) {}

  private final String recorded;
  private String text;

  /**
   * The edits from the recorded text to the present one, in order; null if the text is not traced.
   */
  private int @Nullable [] edits;

  private Rewriting(String recorded, int @Nullable [] edits) {
    this.recorded = recorded;
    this.text = recorded;
    this.edits = edits;
  }

  /** Returns a text that is not traced. */
  static Rewriting of(String recorded) {
    return new Rewriting(recorded, null);
  }

  /** Returns a traced text. */
  public static Rewriting traced(String recorded) {
    return new Rewriting(recorded, NONE);
  }

  /** The present text. */
  public String text() {
    return text;
  }

  /** Replaces the whole text by a word. */
  void replaceWhole(String word) {
    edits = edits == null ? null : new int[] {0, recorded.length(), 0, word.length()};
    text = word;
  }

  /**
   * Replaces the matches in the present text.
   *
   * @param matcher a matcher of the present text
   * @param replacement returns the replacement of a match, as {@link Matcher#appendReplacement}
   *     documents it; null for a match that is kept
   */
  public void replace(Matcher matcher, Function<MatchResult, @Nullable String> replacement) {
    if (!matcher.find()) {
      return;
    }
    StringBuilder out = new StringBuilder(text.length());
    IntStream.Builder made = IntStream.builder();
    int end = 0;
    do {
      String word = replacement.apply(matcher);
      if (word != null) {
        int from = out.length() + matcher.start() - end;
        matcher.appendReplacement(out, word);
        end = matcher.end();
        if (edits != null) {
          made.add(matcher.start()).add(end).add(from).add(out.length());
        }
      }
    } while (matcher.find());
    matcher.appendTail(out);
    text = out.toString();
    edits = edits == null ? null : joined(edits, made.build().toArray());
  }

  /**
   * Combines two sequences of edits, the second of which applies to the result of the first, into
   * edits of the first text. Overlapping edits become one.
   */
  private static int[] joined(int[] first, int[] second) {
    IntStream.Builder all = IntStream.builder();
    int i = 0;
    int j = 0;
    int toBefore = 0;
    int toAfter = 0;
    while (i < first.length || j < second.length) {
      boolean takesFirst = j == second.length || (i < first.length && isNext(first, i, second, j));
      int start = takesFirst ? first[i + 2] : second[j];
      int end = start;
      all.add(start + toBefore);
      int from = start + toAfter;
      do {
        if (takesFirst) {
          end = Math.max(end, first[i + 3]);
          toBefore = first[i + 1] - first[i + 3];
          i += EDIT;
        } else {
          end = Math.max(end, second[j + 1]);
          toAfter = second[j + 3] - second[j + 1];
          j += EDIT;
        }
        takesFirst = i < first.length && first[i + 2] < end;
      } while (takesFirst || (j < second.length && second[j] < end));
      all.add(end + toBefore).add(from).add(end + toAfter);
    }
    return all.build().toArray();
  }

  /**
   * Whether the next edit of the first sequence comes first; of two that begin at the same place,
   * the shorter one does.
   */
  private static boolean isNext(int[] first, int i, int[] second, int j) {
    return first[i + 2] < second[j] || (first[i + 2] == second[j] && first[i + 3] <= second[j + 1]);
  }

  /**
   * Returns the replaced parts of the recorded text, in order; empty if the text is not traced. If
   * there are very many, the parts around a place are returned, with one part for all before them
   * and one for all after them.
   *
   * @param place an offset in the present text
   */
  public List<Part> replacements(int place) {
    int[] all = edits == null ? NONE : edits;
    int next = 0;
    while (next < all.length && all[next + 3] <= place) {
      next += EDIT;
    }
    int most = EDIT * MAX_REPLACEMENTS;
    int begin = Math.max(0, Math.min(next - EDIT * BEFORE, all.length - most));
    int end = Math.min(all.length, begin + most);
    List<Part> told = new ArrayList<>();
    if (begin > 0) {
      add(all[0], all[begin - 3], all[2], all[begin - 1], told);
    }
    for (int i = begin; i < end; i += EDIT) {
      add(all[i], all[i + 1], all[i + 2], all[i + 3], told);
    }
    if (end < all.length) {
      add(all[end], all[all.length - 3], all[end + 2], all[all.length - 1], told);
    }
    return told;
  }

  /**
   * Adds a part unless it is unchanged. A replacement equal to the previous one shares its string.
   */
  private void add(int start, int end, int from, int to, List<Part> told) {
    // a line feed at the end of both is not part of the replacement, so that reports keep the lines
    boolean keepsLineFeed =
        start < end && from < to && recorded.charAt(end - 1) == '\n' && text.charAt(to - 1) == '\n';
    int kept = keepsLineFeed ? 1 : 0;
    int length = to - from - kept;
    if (length == end - start - kept && text.regionMatches(from, recorded, start, length)) {
      return;
    }
    String last = told.isEmpty() ? "" : told.get(told.size() - 1).text();
    boolean isLast = length == last.length() && text.startsWith(last, from);
    String word = isLast ? last : text.substring(from, from + length);
    told.add(new Part(start, end - kept, word));
  }
}
