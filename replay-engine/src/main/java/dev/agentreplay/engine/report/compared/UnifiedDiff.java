package dev.agentreplay.engine.report.compared;

import dev.agentreplay.engine.diff.FileContent;
import dev.agentreplay.engine.diff.ValueChange.FileContents;
import dev.agentreplay.engine.report.compared.ElementAlignment.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The difference of two texts in the unified format of {@code diff -u}, without the lines that name
 * the files. Lines end at a line feed; a carriage return before it is a part of the line.
 *
 * @param lines the lines of the hunks, without line feeds
 * @param isTruncated whether lines are omitted because a limit is reached
 */
public record UnifiedDiff(List<String> lines, boolean isTruncated) {

  private static final int CONTEXT = 3;

  /** The maximum number of lines of each text that are aligned, from the first difference. */
  private static final int MAX_ALIGNED = 5_000;

  /** The maximum number of lines in the difference, without the headers of the hunks. */
  public static final int MAX_LINES = 1_000;

  /** The maximum number of characters in the difference. */
  public static final int MAX_CHARACTERS = 100_000;

  public UnifiedDiff {
    lines = List.copyOf(lines);
  }

  /** The difference of two contents, which are texts; a missing one is empty. */
  public static UnifiedDiff of(FileContents contents) {
    return of(text(contents.sides().left()), text(contents.sides().right()));
  }

  private static String text(@Nullable FileContent content) {
    return content == null ? "" : Objects.requireNonNull(content.text());
  }

  public static UnifiedDiff of(String left, String right) {
    return new Builder(split(left), split(right)).build();
  }

  /** The lines of a text, with their line feeds. */
  private static List<String> split(String text) {
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < text.length(); ) {
      int feed = text.indexOf('\n', at);
      int end = feed < 0 ? text.length() : feed + 1;
      lines.add(text.substring(at, end));
      at = end;
    }
    return lines;
  }

  /** Collects hunks until a limit is reached. */
  private static final class Builder {

    private final List<String> left;
    private final List<String> right;
    private final int prefix;
    private final List<String> out = new ArrayList<>();
    private final List<String> hunk = new ArrayList<>();
    private int leftCount;
    private int rightCount;
    private int leftAt;
    private int rightAt;
    private int shown;
    private long characters;
    private boolean isTruncated;

    Builder(List<String> left, List<String> right) {
      this.left = left;
      this.right = right;
      int same = 0;
      while (same < left.size() && same < right.size() && left.get(same).equals(right.get(same))) {
        same++;
      }
      this.prefix = same;
    }

    UnifiedDiff build() {
      int leftEnd = Math.min(left.size(), prefix + MAX_ALIGNED);
      int rightEnd = Math.min(right.size(), prefix + MAX_ALIGNED);
      List<Run<String>> runs = ElementAlignment.runs(
          left.subList(prefix, leftEnd), right.subList(prefix, rightEnd), Function.identity());
      begin(prefix, prefix);
      leading(left.subList(0, prefix));
      for (int i = 0; i < runs.size() && !isTruncated; i++) {
        Run<String> run = runs.get(i);
        if (run.equal()) {
          between(run.left(), i == runs.size() - 1);
        } else {
          run.left().forEach(line -> add('-', line));
          run.right().forEach(line -> add('+', line));
        }
      }
      end();
      boolean isPartial = leftEnd < left.size() || rightEnd < right.size();
      boolean isRestEqual =
          left.subList(leftEnd, left.size()).equals(right.subList(rightEnd, right.size()));
      return new UnifiedDiff(out, isTruncated || (isPartial && !isRestEqual));
    }

    /** Adds the last equal lines before a change. */
    private void leading(List<String> equal) {
      int from = Math.max(0, equal.size() - CONTEXT);
      leftAt -= equal.size() - from;
      rightAt -= equal.size() - from;
      equal.subList(from, equal.size()).forEach(line -> add(' ', line));
    }

    /** Adds equal lines after a change; ends the hunk if there are many. */
    private void between(List<String> equal, boolean isLast) {
      if (!isLast && equal.size() <= 2 * CONTEXT) {
        equal.forEach(line -> add(' ', line));
        return;
      }
      equal.subList(0, Math.min(CONTEXT, equal.size())).forEach(line -> add(' ', line));
      if (!isLast) {
        int skipped = equal.size() - Math.min(CONTEXT, equal.size());
        int nextLeft = leftAt + leftCount + skipped;
        int nextRight = rightAt + rightCount + skipped;
        end();
        begin(nextLeft, nextRight);
        leading(equal);
      }
    }

    private void begin(int leftLine, int rightLine) {
      leftAt = leftLine;
      rightAt = rightLine;
      leftCount = 0;
      rightCount = 0;
    }

    private void end() {
      if (!hunk.isEmpty()) {
        out.add("@@ -%s +%s @@".formatted(range(leftAt, leftCount), range(rightAt, rightCount)));
        out.addAll(hunk);
        hunk.clear();
      }
    }

    /** A range of lines from 1; an empty range names the line before it. */
    private static String range(int from, int count) {
      int line = count == 0 ? from : from + 1;
      return count == 1 ? Integer.toString(line) : line + "," + count;
    }

    private void add(char sign, String line) {
      boolean isComplete = line.endsWith("\n");
      isTruncated =
          isTruncated || shown == MAX_LINES || characters + line.length() > MAX_CHARACTERS;
      if (isTruncated) {
        return;
      }
      shown++;
      characters += line.length();
      hunk.add(sign + (isComplete ? line.substring(0, line.length() - 1) : line));
      if (!isComplete) {
        hunk.add("\\ No newline at end of file");
      }
      leftCount += sign == '+' ? 0 : 1;
      rightCount += sign == '-' ? 0 : 1;
    }
  }
}
