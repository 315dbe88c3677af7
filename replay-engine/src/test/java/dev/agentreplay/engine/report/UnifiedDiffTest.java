package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.report.compared.UnifiedDiff;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {

  private static String lines(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  @Test
  void one_changed_line_has_three_lines_of_context() {
    assertThat(UnifiedDiff.of(lines(0, 9), lines(0, 4) + "x\n" + lines(5, 9)).lines())
        .containsExactly("@@ -2,7 +2,7 @@", " 1", " 2", " 3", "-4", "+x", " 5", " 6", " 7");
  }

  @Test
  void distant_changes_are_two_hunks() {
    String left = lines(0, 20);
    String right = "x\n" + lines(1, 18) + "y\n" + "19\n";
    assertThat(UnifiedDiff.of(left, right).lines())
        .containsExactly(
            "@@ -1,4 +1,4 @@",
            "-0",
            "+x",
            " 1",
            " 2",
            " 3",
            "@@ -16,5 +16,5 @@",
            " 15",
            " 16",
            " 17",
            "-18",
            "+y",
            " 19");
  }

  @Test
  void empty_side_and_missing_line_feed_are_as_in_diff() {
    assertThat(UnifiedDiff.of("", "a\nb").lines())
        .containsExactly("@@ -0,0 +1,2 @@", "+a", "+b", "\\ No newline at end of file");
    assertThat(UnifiedDiff.of("a\n", "a").lines())
        .containsExactly("@@ -1 +1 @@", "-a", "+a", "\\ No newline at end of file");
  }

  @Test
  void carriage_return_is_part_of_the_line() {
    assertThat(UnifiedDiff.of("a\r\n", "a\n").lines()).containsExactly("@@ -1 +1 @@", "-a\r", "+a");
  }

  @Test
  void long_difference_is_truncated_and_says_so() {
    UnifiedDiff many = UnifiedDiff.of(lines(0, 2_000), lines(3_000, 5_000));
    assertThat(many.isTruncated()).isTrue();
    assertThat(many.lines()).hasSize(1 + UnifiedDiff.MAX_LINES).startsWith("@@ -1,1000 +0,0 @@");

    String line = "x".repeat(UnifiedDiff.MAX_CHARACTERS);
    UnifiedDiff wide = UnifiedDiff.of("a\n", line);
    assertThat(wide.lines()).containsExactly("@@ -1 +0,0 @@", "-a");
    assertThat(wide.isTruncated()).isTrue();
  }

  @Test
  void equal_rest_beyond_the_aligned_lines_is_not_truncated() {
    assertThat(UnifiedDiff.of("a\n" + lines(0, 9_000), "b\n" + lines(0, 9_000)).isTruncated())
        .isFalse();
    assertThat(UnifiedDiff.of("a\n" + lines(0, 9_000), "b\n" + lines(0, 8_000)).isTruncated())
        .isTrue();
  }

  @Property
  void difference_turns_the_left_text_into_the_right_one(
      @ForAll @Size(max = 30) List<@IntRange(max = 4) Integer> left,
      @ForAll @Size(max = 30) List<@IntRange(max = 4) Integer> right) {
    String before = text(left);
    String after = text(right);
    UnifiedDiff diff = UnifiedDiff.of(before, after);
    assertThat(diff.isTruncated()).isFalse();
    assertThat(patched(before, diff.lines())).isEqualTo(after);
  }

  private static String text(List<Integer> lines) {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  /** The text after a patch, which checks the ranges of its hunks. */
  private static String patched(String before, List<String> diff) {
    List<String> lines = before.lines().toList();
    StringBuilder out = new StringBuilder();
    int at = 0;
    int written = 0;
    for (String line : diff) {
      if (line.startsWith("@@")) {
        String[] ranges = line.split(" ");
        int begin = begin(ranges[1]);
        while (at < begin) {
          out.append(lines.get(at++)).append('\n');
          written++;
        }
        assertThat(written).isEqualTo(begin(ranges[2]));
      } else if (line.startsWith("+")) {
        out.append(line.substring(1)).append('\n');
        written++;
      } else {
        assertThat(lines.get(at++)).isEqualTo(line.substring(1));
        if (line.startsWith(" ")) {
          out.append(line.substring(1)).append('\n');
          written++;
        }
      }
    }
    while (at < lines.size()) {
      out.append(lines.get(at++)).append('\n');
    }
    return out.toString();
  }

  private static int begin(String range) {
    String[] parts = range.substring(1).split(",");
    int line = Integer.parseInt(parts[0]);
    return parts.length == 2 && parts[1].equals("0") ? line : line - 1;
  }
}
