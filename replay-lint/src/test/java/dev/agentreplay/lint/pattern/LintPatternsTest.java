package dev.agentreplay.lint.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.lint.pattern.Directive.Question;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of patterns: which rule wins, and how errors are refused. */
class LintPatternsTest {

  private static @Nullable String find(LintPatterns patterns, String owner, String name) {
    LintRule rule = patterns.find(Question.VERDICT, owner, name, "()V");
    return rule == null ? null : rule.toString();
  }

  @Test
  void most_specific_rule_of_a_file_wins_in_any_order() throws LintFileException {
    LintPatterns patterns = LintPatterns.defaults()
        .plus(
            "test",
            """
            report clock a.**
            allow a.b.**
            report id a.b.*
            allow a.b.C
            report random a.b.C.d
              # a comment
            allow a.b.C.d()

            report random inherited a.b.C.d -> nothing # at all
            """);

    assertThat(find(patterns, "a/X", "y")).isEqualTo("report clock a.**");
    assertThat(find(patterns, "a/b/x/X", "y")).isEqualTo("allow a.b.**");
    assertThat(find(patterns, "a/b/X", "y")).isEqualTo("report id a.b.*");
    assertThat(find(patterns, "a/b/C", "y")).isEqualTo("allow a.b.C");
    assertThat(find(patterns, "a/b/C", "d")).isEqualTo("allow a.b.C.d()");
    assertThat(find(patterns, "b/C", "d")).isNull();
    assertThat(patterns.rules().get(patterns.rules().size() - 1).remedy())
        .isEqualTo("nothing # at all");
  }

  @Test
  void rule_of_a_later_file_wins_over_more_specific_ones(@TempDir Path directory)
      throws IOException {
    LintPatterns defaults = LintPatterns.defaults();
    assertThat(find(defaults, "java/lang/System", "nanoTime"))
        .isEqualTo("report clock java.lang.System.nanoTime");

    Path file = Files.writeString(directory.resolve("lint.patterns"), "allow java.lang.**\n");

    assertThat(find(defaults.plus(file), "java/lang/System", "nanoTime"))
        .isEqualTo("allow java.lang.**");
    assertThat(find(defaults, "java/lang/System", "nanoTime")).startsWith("report");
  }

  @Test
  void file_that_is_not_utf_8_is_refused(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("x"), new byte[] {(byte) 0xff});
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> LintPatterns.defaults().plus(file))
        .withMessage(file + ": expected UTF-8, found other bytes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          reprt clock a.B                | 1 | expected one of report, allow, boundary, entry, trust, descend, unordered, ordered, source, passes, fills, sorts, iterates, converts, collects, keeps, commutes, found reprt; did you mean 'report'?
          report                         | 7 | expected a category, found the end of the line
          report clok a.B                | 8 | expected a category, one of clock, random, id, environment, order, thread, file, network, process, found clok; did you mean 'clock'?
          report clock                   | 13 | expected a pattern, found the end of the line
          report clock inherited         | 23 | expected a pattern, found the end of the line
          report clock a.b               | 14 | expected a class, whose name begins with an upper-case letter, or a package with .* or .**, found a.b
          report clock a.B use this      | 18 | expected -> with a remedy, or the end of the line, found use
          report clock a.B ->            | 18 | expected a remedy after ->
          allow a.B -> x                 | 11 | expected the end of the line, found ->
          '   allow'                     | 9 | expected a pattern, found the end of the line
          boundary a.B 1                 | 15 | a boundary that is a type has no arguments
          boundary a.B.c                 | 15 | a boundary that is a method names the positions of its arguments
          boundary a.B.c(int, long) 0    | 27 | expected the position of an argument, from 1, found 0
          entry a.B                      | 7 | expected implements or parameter, found a.B
          entry implements a.B.c         | 18 | entry expects a class or a package, found the method a.B.c
          source a.B                     | 8 | source expects a method, found a.B
          """)
  void error_has_its_position_and_reason(String line, int column, String reason) {
    assertThatExceptionOfType(LintFileException.class)
        .isThrownBy(() -> LintPatterns.defaults().plus("my.patterns", "# first\n" + line + "\n"))
        .withMessage("my.patterns: line 2, column %d: %s".formatted(column, reason))
        .satisfies(e -> assertThat(e.line()).isEqualTo(2))
        .satisfies(e -> assertThat(e.column()).isEqualTo(column))
        .satisfies(e -> assertThat(e.file()).isEqualTo("my.patterns"));
  }

  @Test
  void second_rule_of_a_pattern_is_refused() {
    assertThatExceptionOfType(LintFileException.class)
        .isThrownBy(() -> LintPatterns.defaults().plus("f", "allow a.B\nreport clock a.B\n"))
        .withMessageContaining("line 2")
        .withMessageEndingWith("a.B is in line 1 already");
  }
}
