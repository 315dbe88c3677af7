package dev.agentreplay.engine.report;

import dev.agentreplay.engine.report.ChangeExcerpt.Segment;
import dev.agentreplay.engine.report.compared.Characters;
import dev.agentreplay.engine.report.compared.ComparedText;
import dev.agentreplay.engine.report.compared.ElementAlignment;
import dev.agentreplay.engine.report.compared.ElementAlignment.Run;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A line and the line that replaced it, with the parts that differ marked. Long lines are cut
 * around the first difference.
 *
 * @param note the lengths of cut lines and the place of their first difference, or the invisible
 *     characters that differ; null if neither applies
 */
record ChangedParts(List<Segment> left, List<Segment> right, @Nullable String note) {

  /** The maximum length of lines whose words are aligned, in characters. */
  private static final int MAX_ALIGNED = 2_000;

  /** The number of characters of a long line shown before the first difference. */
  private static final int CONTEXT = 20;

  /** The minimum share of common text; nothing is marked in lines that have less in common. */
  private static final double LEAST_COMMON = 0.3;

  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_]+|\\s+|.", Pattern.DOTALL);

  /** Finds the differences of two lines, and cuts the lines to a number of columns. */
  static ChangedParts of(ComparedText before, ComparedText after, int columns) {
    String left = before.recorded();
    String right = after.recorded();
    int prefix = Characters.commonPrefix(before.compared(), after.compared());
    int longer = Math.max(left.length(), right.length());
    int longest =
        Math.max(longer, Math.max(before.compared().length(), after.compared().length()));
    List<Segment> leftParts;
    List<Segment> rightParts;
    if (longest <= MAX_ALIGNED) {
      leftParts = new ArrayList<>();
      rightParts = new ArrayList<>();
      for (Run<ComparedText> run :
          ElementAlignment.runs(words(before), words(after), ComparedText::compared)) {
        add(run.left(), !run.equal(), leftParts);
        add(run.right(), !run.equal(), rightParts);
      }
    } else {
      int suffix = Characters.commonSuffix(before.compared(), after.compared(), prefix);
      leftParts = parts(before, prefix, suffix);
      rightParts = parts(after, prefix, suffix);
    }
    if (Math.max(common(leftParts), common(rightParts)) < LEAST_COMMON * longer) {
      leftParts = List.of(new Segment(left, false));
      rightParts = List.of(new Segment(right, false));
    }
    if (longer <= columns) {
      return new ChangedParts(
          leftParts, rightParts, invisible(before.compared(), after.compared(), prefix));
    }
    int changed = before.recordedIndex(before.floor(prefix));
    String note = "%s and %s, changed at %s"
        .formatted(
            Wording.count(left.codePointCount(0, left.length())),
            PlainText.count(right.codePointCount(0, right.length()), "character"),
            Wording.count(left.codePointCount(0, changed) + 1));
    return new ChangedParts(
        cut(leftParts, left, changed, columns),
        cut(rightParts, right, after.recordedIndex(after.floor(prefix)), columns),
        note);
  }

  /** A note for lines that differ but look the same; null if they do not. */
  private static @Nullable String invisible(String left, String right, int prefix) {
    return !left.equals(right) && PlainText.of(left).equals(PlainText.of(right))
        ? "U+%04X became U+%04X, which are not shown"
            .formatted(left.codePointAt(prefix), right.codePointAt(prefix))
        : null;
  }

  /** The words of a line; none ends within a replaced part. */
  private static List<ComparedText> words(ComparedText line) {
    List<ComparedText> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(line.compared());
    int from = 0;
    while (matcher.find()) {
      int end = line.ceiling(matcher.end());
      if (end == matcher.end()) {
        words.add(line.slice(from, end));
        from = end;
      }
    }
    return words;
  }

  private static void add(List<ComparedText> words, boolean changed, List<Segment> parts) {
    String text = words.stream().map(ComparedText::recorded).collect(Collectors.joining());
    if (text.isEmpty()) {
      return;
    }
    int last = parts.size() - 1;
    // changed words that are separated by a blank only are marked as one part
    boolean isBetween = changed && last > 0 && parts.get(last).text().isBlank();
    if (isBetween) {
      text = parts.get(last - 1).text() + parts.remove(last).text() + text;
      parts.remove(last - 1);
    }
    parts.add(new Segment(text, changed));
  }

  private static List<Segment> parts(ComparedText line, int prefix, int suffix) {
    List<Segment> parts = new ArrayList<>();
    int length = line.compared().length();
    int begin = line.floor(prefix);
    int end = line.ceiling(length - suffix);
    parts.add(new Segment(line.slice(0, begin).recorded(), false));
    parts.add(new Segment(line.slice(begin, end).recorded(), true));
    parts.add(new Segment(line.slice(end, length).recorded(), false));
    parts.removeIf(part -> part.text().isEmpty());
    return parts;
  }

  private static int common(List<Segment> parts) {
    return parts.stream()
        .filter(part -> !part.changed())
        .mapToInt(p -> p.text().strip().length())
        .sum();
  }

  /** The parts around a place in a number of columns, with an ellipsis where text is cut. */
  private static List<Segment> cut(List<Segment> parts, String line, int changed, int columns) {
    int length = line.length();
    int from = changed <= columns / 2 ? 0 : Excerpt.floor(line, changed - CONTEXT);
    List<Segment> shown = new ArrayList<>();
    if (from > 0) {
      shown.add(new Segment("…", false));
    }
    boolean toEnd = length - from <= columns - shown.size();
    int end = toEnd ? length : from + columns - shown.size() - 1;
    int at = 0;
    for (Segment part : parts) {
      String text = part.text();
      int begin = Excerpt.floor(text, Math.min(text.length(), Math.max(0, from - at)));
      int stop = Excerpt.floor(text, Math.min(text.length(), Math.max(begin, end - at)));
      if (begin < stop) {
        shown.add(new Segment(text.substring(begin, stop), part.changed()));
      }
      at += text.length();
    }
    if (!toEnd) {
      shown.add(new Segment("…", false));
    }
    return shown;
  }
}
