package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.ValueChange.Replacement;
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

  private static String applied(String text, List<Replacement> replacements) {
    StringBuilder out = new StringBuilder();
    int copied = 0;
    for (Replacement replacement : replacements) {
      assertThat(replacement.start()).isGreaterThanOrEqualTo(copied);
      out.append(text, copied, replacement.start()).append(replacement.text());
      copied = replacement.end();
    }
    return out.append(text.substring(copied)).toString();
  }

  @Test
  void only_what_was_replaced_is_told() {
    assertThat(rewritten("a1b22c", List.of("[0-9]+"), List.of("N")).replacements(0))
        .containsExactly(new Replacement(1, 2, "N"), new Replacement(3, 5, "N"));
    assertThat(rewritten("a1b1", List.of("1b"), List.of("")).replacements(0))
        .containsExactly(new Replacement(1, 3, ""));
    assertThat(rewritten("11a", List.of("1"), List.of("")).replacements(0))
        .containsExactly(new Replacement(0, 2, ""));
    assertThat(rewritten("a", List.of("b"), List.of("c")).replacements(0)).isEmpty();
  }

  @Test
  void replacement_of_a_replacement_covers_what_was_recorded() {
    assertThat(rewritten("x12y", List.of("12", "xN"), List.of("NN", "Q")).replacements(0))
        .containsExactly(new Replacement(0, 1, "Q"), new Replacement(1, 3, "N"));
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
  void of_very_many_replacements_those_from_a_place_on_are_told() {
    String text = "a1".repeat(300_000);
    Rewriting rewriting = rewritten(text, List.of("1"), List.of("N"));

    for (int place : new int[] {0, 300_000, 590_000}) {
      List<Replacement> told = rewriting.replacements(place);
      assertThat(told.size()).isLessThanOrEqualTo(Rewriting.MAX_REPLACEMENTS);
      assertThat(told.contains(new Replacement(place + 1, place + 2, "N"))).isTrue();
      assertThat(told.contains(new Replacement(place + 9_001, place + 9_002, "N")))
          .isTrue();
      assertThat(applied(text, told).equals(rewriting.text())).isTrue();
    }
  }
}
