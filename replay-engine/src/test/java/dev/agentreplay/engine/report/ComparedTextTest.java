package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.engine.diff.ValueChange.Replacement;
import dev.agentreplay.engine.report.compared.ComparedText;
import dev.agentreplay.engine.report.compared.Marks;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ComparedTextTest {

  private static final ComparedText TEXT = ComparedText.of(
      "ab12cd3ef45g\r",
      List.of(
          new Replacement(2, 4, "NN"),
          new Replacement(6, 7, ""),
          new Replacement(9, 11, "n"),
          new Replacement(12, 13, "")));

  @Test
  void replacements_are_in_the_compared_text() {
    assertThat(TEXT.compared()).isEqualTo("abNNcdefng");
    assertThat(TEXT.slice(1, 6).recorded()).isEqualTo("b12cd");
    assertThat(TEXT.slice(6, 9).recorded()).isEqualTo("3ef45");
    assertThat(TEXT.after("  ").compared()).isEqualTo("  abNNcdefng");
    assertThat(TEXT.floor(3)).isEqualTo(2);
    assertThat(TEXT.ceiling(3)).isEqualTo(4);
  }

  @Property
  void parts_make_the_whole(
      @ForAll @IntRange(max = 10) int one, @ForAll @IntRange(max = 10) int other) {
    int from = Math.min(one, other);
    int to = Math.max(one, other);
    List<ComparedText> parts =
        List.of(TEXT.slice(0, from), TEXT.slice(from, to), TEXT.slice(to, 10));

    assertThat(String.join("", parts.stream().map(ComparedText::recorded).toList()))
        .isEqualTo(TEXT.recorded());
    assertThat(parts.get(1).compared()).isEqualTo(TEXT.compared().substring(from, to));
  }

  @Test
  void empty_part_is_empty_unless_the_text_is() {
    for (int i = 1; i <= 10; i++) {
      assertThat(TEXT.slice(i, i).isEmpty()).isTrue();
    }
    ComparedText removed = ComparedText.of("\r", List.of(new Replacement(0, 1, "")));
    assertThat(removed.slice(0, 0).recorded()).isEqualTo("\r");
  }

  @Test
  void marked_text_says_both_again() {
    Marks marks = Objects.requireNonNull(Marks.notIn(TEXT, TEXT));
    ComparedText again = marks.text(marks.mark(TEXT));

    assertThat(again.recorded()).isEqualTo(TEXT.recorded());
    assertThat(again.replacements()).isEqualTo(TEXT.replacements());
    for (String part : List.of("x" + marks.open(), "x" + marks.middle(), "x" + marks.close())) {
      assertThatIllegalArgumentException().isThrownBy(() -> marks.text(part));
    }
  }
}
