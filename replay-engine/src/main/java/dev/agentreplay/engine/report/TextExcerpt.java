package dev.agentreplay.engine.report;

import dev.agentreplay.engine.report.ChangeExcerpt.Sign;
import dev.agentreplay.engine.report.compared.Characters;
import dev.agentreplay.engine.report.compared.ComparedText;
import dev.agentreplay.engine.report.compared.ElementAlignment;
import dev.agentreplay.engine.report.compared.ElementAlignment.Run;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;

/** Excerpts of texts: lines that differ, with two equal lines of context before and after. */
final class TextExcerpt {

  private static final int CONTEXT = 2;

  /** The number of changed lines of each side that are always shown. */
  private static final int LEAST = 2;

  /** The maximum number of lines that are aligned, counted from the first difference. */
  private static final int MAX_LINES = 5_000;

  private final List<ComparedText> left;
  private final List<ComparedText> right;
  private final long following;
  private final String indent;
  private final ExcerptLines out;

  /**
   * Compares parts of two texts.
   *
   * @param following the number of equal lines after both parts
   */
  private TextExcerpt(
      List<ComparedText> left,
      List<ComparedText> right,
      long following,
      String indent,
      ExcerptLines out) {
    this.left = left;
    this.right = right;
    this.following = following;
    this.indent = indent;
    this.out = out;
  }

  /** Adds a text that only one session has. */
  static void whole(Sign sign, String text, ExcerptLines out) {
    if (text.isEmpty()) {
      out.add(sign, "\"\"");
    }
    for (int at = 0; at < text.length() && !out.isCut(); at = lineEnd(text, at)) {
      out.add(sign, line(text, at));
    }
  }

  /** Adds two texts whose compared forms differ. */
  static void pair(ComparedText before, ComparedText after, String indent, ExcerptLines out) {
    String left = before.compared();
    String right = after.compared();
    // the common beginning may be long: its lines are only counted
    int prefix = Characters.commonPrefix(left, right);
    int same = lineStart(left, prefix);
    List<ComparedText> context = new ArrayList<>();
    int from = same;
    while (from > 0 && context.size() < CONTEXT) {
      int start = lineStart(left, from - 1);
      if (before.floor(start) < start) {
        break;
      }
      context.add(0, before.slice(start, from));
      from = start;
    }
    long skipped = left.chars().limit(from).filter(c -> c == '\n').count();
    int end = left.length() - Characters.commonSuffix(left, right, prefix);
    for (int i = 0; i <= CONTEXT; i++) {
      end = lineEnd(left, end);
    }
    String following = left.substring(end);
    List<ComparedText> leftLines = lines(before, same, end, context);
    List<ComparedText> rightLines =
        lines(after, same, right.length() - following.length(), context);
    boolean isWhole = length(leftLines) == end - from
        && length(rightLines) == right.length() - following.length() - from;
    long equal = isWhole ? following.lines().count() : 0;
    TextExcerpt excerpt = new TextExcerpt(leftLines, rightLines, equal, indent, out);
    excerpt.equalLines(skipped);
    excerpt.compare();
    if (!isWhole) {
      out.note("the rest is not compared line by line");
    }
    if (left.endsWith("\n") != right.endsWith("\n") && !left.isEmpty() && !right.isEmpty()) {
      out.note("%s ends without a newline".formatted(left.endsWith("\n") ? "+" : "-"));
    }
  }

  private void compare() {
    List<Run<ComparedText>> runs = ElementAlignment.runs(left, right, ComparedText::compared);
    for (int i = 0; i < runs.size() && !out.isCut(); i++) {
      Run<ComparedText> run = runs.get(i);
      if (run.equal()) {
        equal(run.left(), i == 0, i == runs.size() - 1);
      } else {
        changed(run.left(), run.right());
      }
    }
  }

  /** Adds equal lines: those next to a change are shown, the others counted. */
  private void equal(List<ComparedText> lines, boolean isFirst, boolean isLast) {
    int before = isFirst ? 0 : CONTEXT;
    int after = isLast ? 0 : CONTEXT;
    long beyond = isLast ? following : 0;
    long hidden = lines.size() - before - after + beyond;
    if (hidden <= 1 && beyond == 0) {
      same(lines);
      return;
    }
    same(lines.subList(0, Math.min(before, lines.size())));
    equalLines(hidden);
    same(lines.subList(lines.size() - after, lines.size()));
  }

  private void same(List<ComparedText> lines) {
    lines.forEach(text -> out.add(Sign.SAME, line(text).recorded()));
  }

  private void equalLines(long count) {
    if (count > 0) {
      out.note(indent + "%s equal".formatted(PlainText.count(count, "line")));
    }
  }

  private void changed(List<ComparedText> removed, List<ComparedText> added) {
    // leave room for both sides of a long change
    int most = Math.max(LEAST, out.linesLeft() / 2 - 1);
    List<ComparedText> before = removed.subList(0, Math.min(most, removed.size()));
    List<ComparedText> after = added.subList(0, Math.min(most, added.size()));
    int pairs = Math.min(before.size(), after.size());
    List<ChangedParts> parts = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      parts.add(ChangedParts.of(line(before.get(i)), line(after.get(i)), out.columns()));
      out.add(Sign.REMOVED, parts.get(i).left());
    }
    before
        .subList(pairs, before.size())
        .forEach(text -> out.add(Sign.REMOVED, line(text).recorded()));
    more(removed.size() - before.size(), "removed");
    for (int i = 0; i < pairs; i++) {
      out.add(Sign.ADDED, parts.get(i).right());
      String note = parts.get(i).note();
      if (note != null) {
        out.note(note);
      }
    }
    after
        .subList(pairs, after.size())
        .forEach(text -> out.add(Sign.ADDED, line(text).recorded()));
    more(added.size() - after.size(), "added");
  }

  private void more(int count, String what) {
    if (count > 0) {
      out.note(indent + PlainText.count(count, "more line") + " " + what);
    }
  }

  private ComparedText line(ComparedText text) {
    return text.withoutLineFeed().after(indent);
  }

  /** The line of a text that begins at an index, without its line feed. */
  private static String line(String text, int at) {
    int end = lineEnd(text, at);
    return text.substring(at, text.charAt(end - 1) == '\n' ? end - 1 : end);
  }

  /**
   * The lines of a text from an offset on, with their line feeds, appended to others. It stops
   * before a line that ends within a replacement, unless that is the first line.
   */
  private static List<ComparedText> lines(
      ComparedText text, int from, int end, List<ComparedText> before) {
    List<ComparedText> lines = new ArrayList<>(before);
    int at = from;
    while (at < end && lines.size() < MAX_LINES) {
      int newline = lineEnd(text.compared(), at);
      int next = text.ceiling(newline);
      if (next > newline && at > from) {
        break;
      }
      lines.add(text.slice(at, next));
      at = next;
    }
    return lines;
  }

  private static int length(List<ComparedText> lines) {
    return lines.stream().mapToInt(line -> line.compared().length()).sum();
  }

  private static int lineStart(String text, int index) {
    return text.lastIndexOf('\n', index - 1) + 1;
  }

  private static int lineEnd(String text, int index) {
    int newline = text.indexOf('\n', index);
    return newline < 0 ? text.length() : newline + 1;
  }
}
