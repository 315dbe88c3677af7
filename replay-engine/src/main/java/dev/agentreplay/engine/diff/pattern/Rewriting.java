package dev.agentreplay.engine.diff.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A text while rules replace parts of it, one after the other. A traced one knows which parts of
 * the recorded text they replaced.
 */
public final class Rewriting {

  /** The most replacements of a text that are told one by one. */
  static final int MAX_REPLACEMENTS = 10_000;

  /** So many of them are before the place of interest. */
  private static final int BEFORE = MAX_REPLACEMENTS / 10;

  /** The length of an edit: begin and end of a part before it, and begin and end after it. */
  private static final int EDIT = 4;

  private static final int[] NONE = {};

  /**
   * A part of the recorded text that was replaced.
   *
   * @param start the offset of its first character in the recorded text
   * @param end the offset of the first character after it
   * @param text the text in its place
   */
  public record Part(int start, int end, String text) {}

  private final String recorded;
  private String text;

  /** The edits from the recorded text to this one, in order; null when they are not asked for. */
  private int @Nullable [] edits;

  private Rewriting(String recorded, int @Nullable [] edits) {
    this.recorded = recorded;
    this.text = recorded;
    this.edits = edits;
  }

  /** A text of which only the result is asked for. */
  static Rewriting of(String recorded) {
    return new Rewriting(recorded, null);
  }

  /** A text whose replacements are asked for. */
  public static Rewriting traced(String recorded) {
    return new Rewriting(recorded, NONE);
  }

  /** The text as it is now. */
  public String text() {
    return text;
  }

  /** Replaces all of the text. */
  void replaceWhole(String word) {
    edits = edits == null ? null : new int[] {0, recorded.length(), 0, word.length()};
    text = word;
  }

  /**
   * Replaces the matches in the text.
   *
   * @param replacement gives the word for a match, as {@link Matcher#appendReplacement} documents
   *     it; null for a match that stays
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

  /** Edits and those of the text that they make as edits of the first text; overlapping as one. */
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
   * Whether the next edit of the first ones comes first; of two that begin together the shorter.
   */
  private static boolean isNext(int[] first, int i, int[] second, int j) {
    return first[i + 2] < second[j] || (first[i + 2] == second[j] && first[i + 3] <= second[j + 1]);
  }

  /**
   * The replaced parts of the recorded text, in order; of a traced text. Of very many those around
   * a place, and one for all that are before them, and for all that are after them.
   *
   * @param place an offset in the text as it is now
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

  /** Adds a part unless it stayed as it was; a word that is the last one again shares its text. */
  private void add(int start, int end, int from, int to, List<Part> told) {
    // a line feed at the end of both stays one of the recorded text, whose lines end there
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
