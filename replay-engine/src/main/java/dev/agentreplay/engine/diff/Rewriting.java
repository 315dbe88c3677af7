package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.ValueChange.Replacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A text while rules replace parts of it, one after the other. A traced one knows which part of the
 * recorded text each character stands for.
 */
final class Rewriting {

  /** The most replacements that are told of a text. */
  static final int MAX_REPLACEMENTS = 1 << 16;

  /** So many characters before a place of interest are told in detail. */
  private static final int MARGIN = 10_000;

  private final String recorded;
  private String text;

  /** The offset in the recorded text of each character, and at last of the end. */
  private int @Nullable [] origins;

  private Rewriting(String recorded, int @Nullable [] origins) {
    this.recorded = recorded;
    this.text = recorded;
    this.origins = origins;
  }

  /** A text of which only the result is asked for. */
  static Rewriting of(String recorded) {
    return new Rewriting(recorded, null);
  }

  /** A text whose replacements are asked for. */
  static Rewriting traced(String recorded) {
    int[] origins = new int[recorded.length() + 1];
    Arrays.setAll(origins, i -> i);
    return new Rewriting(recorded, origins);
  }

  /** The text as it is now. */
  String text() {
    return text;
  }

  /** Replaces all of the text. */
  void replaceWhole(String word) {
    trace(List.of(new int[] {0, text.length(), 0, word.length()}), word.length());
    text = word;
  }

  /**
   * Replaces what is matched in the text.
   *
   * @param replacement gives what stands for a match, as {@link Matcher#appendReplacement}
   *     documents it; null for a match that stays
   */
  void replace(Matcher matcher, Function<MatchResult, @Nullable String> replacement) {
    if (!matcher.find()) {
      return;
    }
    StringBuilder out = new StringBuilder(text.length());
    List<int[]> edits = new ArrayList<>();
    int end = 0;
    do {
      String word = replacement.apply(matcher);
      if (word != null) {
        int from = out.length() + matcher.start() - end;
        matcher.appendReplacement(out, word);
        end = matcher.end();
        if (origins != null) {
          edits.add(new int[] {matcher.start(), end, from, out.length()});
        }
      }
    } while (matcher.find());
    matcher.appendTail(out);
    trace(edits, out.length());
    text = out.toString();
  }

  /** Moves the origins; each edit is a part before and after, begin and end. */
  private void trace(List<int[]> edits, int length) {
    int[] before = origins;
    if (before == null) {
      return;
    }
    int[] after = new int[length + 1];
    int from = 0;
    int to = 0;
    for (int[] edit : edits) {
      System.arraycopy(before, from, after, to, edit[0] - from);
      Arrays.fill(after, edit[2], edit[3], before[edit[0]]);
      from = edit[1];
      to = edit[3];
    }
    System.arraycopy(before, from, after, to, before.length - from);
    origins = after;
  }

  /**
   * The parts of the recorded text that were replaced, in order; of a traced text. Where there are
   * very many, one covers all of them far before a place, or after as many as are told.
   *
   * @param place an offset in the text as it is now
   */
  List<Replacement> replacements(int place) {
    int[] from = origins;
    List<Replacement> found = new ArrayList<>();
    if (from == null || text.equals(recorded)) {
      return found;
    }
    if (text.isEmpty()) {
      return List.of(new Replacement(0, recorded.length(), ""));
    }
    from[0] = 0; // what was removed before the first character
    int folded = 0;
    int end;
    for (int i = 0; i < text.length(); i = end) {
      end = i + 1;
      while (end < text.length() && from[end] == from[end - 1]) {
        end++;
      }
      if (found.size() == MAX_REPLACEMENTS - 2) {
        if (i < place - MARGIN) {
          folded = i;
          found.clear();
        } else {
          end = text.length();
        }
      }
      int recordedEnd = end == text.length() ? recorded.length() : from[end];
      add(recorded.substring(from[i], recordedEnd), from[i], text.substring(i, end), found);
    }
    if (folded > 0) {
      found.add(0, new Replacement(0, from[folded], text.substring(0, folded)));
    }
    return found;
  }

  /** Adds what became of a part; what is left of one that was cut is no part of the replacement. */
  private static void add(String part, int start, String word, List<Replacement> found) {
    int kept = word.length() == 1 && part.startsWith(word) ? 1 : 0;
    int keptLast = kept == 0 && word.length() == 1 && part.endsWith(word) ? 1 : 0;
    int end = start + part.length() - keptLast;
    if (!part.equals(word)) {
      found.add(new Replacement(start + kept, end, kept + keptLast > 0 ? "" : word));
    }
  }
}
