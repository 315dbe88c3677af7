package dev.agentreplay.lint.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of suppressions, and annotations. */
class SuppressionTest {

  @Test
  void line_has_location_calls_and_reason() throws LintFileException {
    List<Suppression> all = Suppression.parse(
        "s",
        """
        # why
        a.B.c of clock, java.util.UUID.randomUUID because it is logged, see #12
        a.** because it is old
        """);

    assertThat(all)
        .extracting(Suppression::toString)
        .containsExactly("a.B.c of clock, java.util.UUID.randomUUID", "a.**");
    assertThat(all).extracting(Suppression::source).containsExactly("s:2", "s:3");
    assertThat(all.get(0).reason()).isEqualTo("it is logged, see #12");
    assertThat(all.get(0).of()).containsExactly("clock", "java.util.UUID.randomUUID");
    assertThat(all.get(0).covers(Category.CLOCK, "x/Y", "z", "()V")).isTrue();
    assertThat(all.get(0).covers(Category.ID, "java/util/UUID", "randomUUID", "()V"))
        .isTrue();
    assertThat(all.get(0).covers(Category.ID, "java/util/UUID", "toString", "()V"))
        .isFalse();
    assertThat(all.get(1).covers(Category.ID, "java/util/UUID", "toString", "()V"))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a.B.c                     | 6 | expected of or because, found the end of the line
          a.B.c since it is old     | 7 | expected of or because, found since
          a.B.c of                  | 9 | expected a category or a pattern, found the end of the line
          a.B.c of clock            | 15 | expected because, found the end of the line
          a.B.c of clock, because x | 17 | expected a pattern, or a category, one of clock, random, id, environment, order, thread, file, network, process, found because
          a.B.c of clocks because x | 10 | expected a pattern, or a category, one of clock, random, id, environment, order, thread, file, network, process, found clocks; did you mean 'clock'?
          a.B.c of clock because    | 16 | expected a reason after because, found the end of the line
          a.b because x             | 1 | expected a class, whose name begins with an upper-case letter, or a package with .* or .**, found a.b
          """)
  void error_has_its_position_and_reason(String line, int column, String reason) {
    assertThatExceptionOfType(LintFileException.class)
        .isThrownBy(() -> Suppression.parse("s", line))
        .withMessage("s: line 1, column %d: %s".formatted(column, reason));
  }

  @Test
  void second_suppression_of_the_same_calls_is_refused() {
    assertThatExceptionOfType(LintFileException.class)
        .isThrownBy(() -> Suppression.parse("s", "a.B because x\n\na.B because y"))
        .withMessageEndingWith("the same suppression is in line 1 already");
  }

  @Test
  void annotation_with_a_blank_reason_or_an_unknown_category_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Suppression.ofAnnotation(MemberPattern.ofClass("a/B"), List.of(), " "))
        .withMessage("expected a reason, found \" \"");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Suppression.ofAnnotation(MemberPattern.ofClass("a/B"), List.of("time"), "x"))
        .withMessageContaining("found time");
  }
}
