package dev.agentreplay.engine.diff.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TextComparisonTest {

  @Test
  void normalizers_apply_in_their_order() throws Exception {
    TextComparison comparison = TextComparison.of(
        List.of(Normalizer.pattern("one", "a", "b"), Normalizer.pattern("two", "b+", "c")));

    assertThat(comparison.normalized("aab-x")).isEqualTo("c-x");
    assertThat(TextComparison.of(List.of()).normalized("aab-x")).isEqualTo("aab-x");
  }

  @Test
  void text_that_is_a_number_is_normalized_like_any_other() throws Exception {
    TextComparison comparison =
        TextComparison.of(List.of(Normalizer.pattern("digits", "[0-9]", "#")));

    assertThat(comparison.normalized("42")).isEqualTo("##");
  }

  @Test
  void expression_that_takes_too_long_is_reported() {
    TextComparison comparison =
        TextComparison.of(List.of(Normalizer.pattern("slow", "(a*)*b", "x")));

    assertThatExceptionOfType(RunawayPatternException.class)
        .isThrownBy(() -> comparison.normalized("a".repeat(5_000)))
        .withMessageContaining("slow");
  }

  @Property(tries = 200)
  void similarity_is_symmetric_and_one_for_equal_texts_only(
      @ForAll String one, @ForAll String other) {
    double similarity = TextComparison.similarity(one, other);

    assertThat(similarity).isBetween(0.0, 1.0).isEqualTo(TextComparison.similarity(other, one));
    assertThat(similarity == 1).isEqualTo(one.equals(other));
    assertThat(TextComparison.similarity(one, one)).isEqualTo(1);
  }
}
