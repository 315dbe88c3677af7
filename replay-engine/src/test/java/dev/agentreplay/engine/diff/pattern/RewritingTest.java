package dev.agentreplay.engine.diff.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.pattern.Rewriting.Part;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class RewritingTest {

  private static Rewriting rewritten(String text, List<String> patterns, List<String> words) {
    Rewriting rewriting = Rewriting.traced(text);
    for (int i = 0; i < Math.min(patterns.size(), words.size()); i++) {
      String word = words.get(i);
      rewriting.replace(Pattern.compile(patterns.get(i)).matcher(rewriting.text()), match -> word);
    }
    return rewriting;
  }

  private static String applied(String text, List<Part> replacements) {
    StringBuilder out = new StringBuilder();
    int copied = 0;
    for (Part replacement : replacements) {
      assertThat(replacement.start() >= copied).isTrue();
      out.append(text, copied, replacement.start()).append(replacement.text());
      copied = replacement.end();
    }
    return out.append(text.substring(copied)).toString();
  }

  @Test
  void only_replaced_parts_are_reported() {
    assertThat(rewritten("a1b22c", List.of("[0-9]+"), List.of("N")).replacements(0))
        .containsExactly(new Part(1, 2, "N"), new Part(3, 5, "N"));
    assertThat(rewritten("a1b1", List.of("1b"), List.of("")).replacements(0))
        .containsExactly(new Part(1, 3, ""));
    assertThat(rewritten("11a", List.of("1"), List.of("")).replacements(0))
        .containsExactly(new Part(0, 1, ""), new Part(1, 2, ""));
    assertThat(rewritten("a\r\n\r\n", List.of("\r\n"), List.of("\n")).replacements(0))
        .containsExactly(new Part(1, 2, ""), new Part(3, 4, ""));
    assertThat(rewritten("a", List.of("b"), List.of("c")).replacements(0)).isEmpty();
  }

  @Test
  void replacement_of_a_replacement_covers_what_was_recorded() {
    assertThat(rewritten("x12y", List.of("12", "xN"), List.of("NN", "Q")).replacements(0))
        .containsExactly(new Part(0, 3, "QN"));
  }

  @Property
  void replacements_turn_the_recorded_text_into_the_compared_one(
      @ForAll @CharRange(from = 'a', to = 'c') @StringLength(max = 12) String text,
      @ForAll @Size(max = 3)
          List<@CharRange(from = 'a', to = 'c') @StringLength(max = 2) String> patterns,
      @ForAll @Size(max = 3)
          List<@CharRange(from = 'a', to = 'c') @StringLength(max = 3) String> words) {
    Rewriting rewriting = rewritten(text, patterns, words);

    assertThat(applied(text, rewriting.replacements(0))).isEqualTo(rewriting.text());
  }

  @Test
  void of_very_many_replacements_those_around_a_place_are_reported() {
    int most = Rewriting.MAX_REPLACEMENTS;
    String text = "a1".repeat(5 * most);
    Rewriting rewriting = rewritten(text, List.of("1"), List.of("N"));

    for (int limit = 0; limit <= 5 * most; limit += most) {
      int last = 5 * most - 1;
      for (int i = Math.max(0, limit - 9); i <= Math.min(last, limit + 9); i++) {
        List<Part> told = rewriting.replacements(2 * i);
        assertThat(told.size()).isLessThanOrEqualTo(most + 2);
        assertThat(told.contains(replaced(i))).isTrue();
        assertThat(told.contains(replaced(Math.max(0, i - 500)))).isTrue();
        assertThat(told.contains(replaced(Math.min(last, i + 5_000)))).isTrue();
        assertThat(applied(text, told).equals(rewriting.text())).isTrue();
      }
    }
  }

  private static Part replaced(int digit) {
    return new Part(2 * digit + 1, 2 * digit + 2, "N");
  }

  @Test
  void replacement_at_a_place_far_from_the_first_ones_is_reported() {
    String text = "a1".repeat(300_000);

    assertThat(rewritten(text, List.of("1"), List.of("N"))
            .replacements(135_000)
            .contains(replaced(67_500)))
        .isTrue();
  }

  @Test
  void equal_words_of_replacements_are_one_text() {
    List<Part> told = rewritten("1 2 3", List.of("[0-9]"), List.of("N")).replacements(0);

    assertThat(told.get(1).text())
        .isSameAs(told.get(0).text())
        .isSameAs(told.get(2).text());
  }
}
