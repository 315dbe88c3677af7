package dev.agentreplay.engine.diff.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.agentreplay.engine.diff.rule.FuzzyText;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TextSimilarityTest {

  @Property
  void similarity_is_that_of_the_longest_common_subsequence(
      @ForAll("texts") String left, @ForAll("texts") String right) {
    int[] a = left.codePoints().toArray();
    int[] b = right.codePoints().toArray();
    double expected = a.length + b.length == 0 ? 1 : 2.0 * byTable(a, b) / (a.length + b.length);

    assertThat(TextSimilarity.of(left, right, 0)).isEqualTo(expected);
    assertThat(TextSimilarity.longest(a, b)).isEqualTo(byTable(a, b));
  }

  @Example
  void similarity_of_long_texts_is_never_too_high_and_not_far_off() {
    Random random = new Random(42);
    for (int run = 0; run < 10; run++) {
      String left = words(random, 1_000);
      String right = edited(random, left);
      int[] a = left.codePoints().toArray();
      int[] b = right.codePoints().toArray();
      double longest = 2.0 * TextSimilarity.longest(a, b) / (a.length + b.length);

      double similarity = TextSimilarity.of(left, right, 0);

      assertThat(similarity).isLessThanOrEqualTo(longest).isCloseTo(longest, within(0.06));
      assertThat(TextSimilarity.of(right, left, 0)).isEqualTo(similarity);
    }
  }

  @Example
  void similarity_is_the_same_whichever_text_comes_first() {
    Random random = new Random(7);
    for (int run = 0; run < 2; run++) {
      String left = words(random, 12_000);
      String right = words(random, 12_000);
      assertThat(TextSimilarity.of(left, right, 0)).isEqualTo(TextSimilarity.of(right, left, 0));
    }
  }

  @Example
  void equal_texts_only_are_wholly_similar() {
    String text = "a".repeat(3_000_000);
    assertThat(TextSimilarity.of(text, text, 1)).isEqualTo(1);
    assertThat(TextSimilarity.of(text, text + "b", 0.5)).isLessThan(1).isGreaterThan(0.999);
    assertThat(TextSimilarity.of("b" + text, text + "c", 0.5)).isLessThan(1);
  }

  @Example
  void surrogate_pair_is_one_character() {
    assertThat(TextSimilarity.of("\uD83D\uDE00", "\uD83D\uDE01", 0)).isZero();
    assertThat(TextSimilarity.of("\uD83D\uDE00", "\uD83C\uDE00", 0)).isZero();
    assertThat(TextSimilarity.of("a\uD83D\uDE00", "b\uD83D\uDE00", 0)).isEqualTo(0.5);
  }

  @Example
  void whole_lines_in_a_long_text_are_found_again() {
    String line = "0123456789".repeat(10) + "\n";
    String lines = IntStream.range(0, 500).mapToObj(i -> i + line).collect(Collectors.joining());

    double similarity = TextSimilarity.of("x" + lines + "y", "z" + lines + "w", 0);

    assertThat(similarity).isEqualTo((double) lines.length() / (lines.length() + 2));
  }

  @Example
  void what_is_longer_than_its_bound_has_nothing_in_common_but_its_ends() {
    String middle = "ab".repeat(TextSimilarity.MAX_ALIGNED);
    assertThat(TextSimilarity.of("x" + middle + "y", "z" + middle + "w", 0)).isZero();
  }

  @Example
  void lengths_alone_rule_out_what_is_of_interest() {
    assertThat(TextSimilarity.of("aaaa", "aa", 0.6)).isEqualTo(2 * 2 / 6.0);
    assertThat(TextSimilarity.of("aaaa", "aa", 0.7)).isZero();
  }

  @Example
  void hostile_texts_are_measured() {
    String left = "a\n".repeat(50_000);
    String right = "b a\n".repeat(50_000);
    assertThat(TextSimilarity.of(left, right, 0)).isBetween(0.0, 1.0);
    assertThat(TextSimilarity.of("ab ".repeat(30_000), "ba ".repeat(30_000), 0))
        .isBetween(0.0, 1.0);
  }

  @Example
  void threshold_is_a_share() {
    for (double wrong : new double[] {0, -1, 1.1, Double.NaN}) {
      assertThatIllegalArgumentException().isThrownBy(() -> FuzzyText.atLeast(wrong));
    }
    assertThat(FuzzyText.atLeast(0.9).description()).isEqualTo("fuzzy 0.9");
    assertThat(FuzzyText.atLeast(0.9).at("/answer").description()).isEqualTo("fuzzy /answer 0.9");
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("a", "b", "c", "\n", " ", "\uD83D\uDE00", "\uD83C\uDE00", "\uD83D\uDE01")
        .list()
        .ofMaxSize(150)
        .map(parts -> String.join("", parts));
  }

  /** By the table of all prefixes, as textbooks have it. */
  private static int byTable(int[] left, int[] right) {
    int[][] length = new int[left.length + 1][right.length + 1];
    for (int i = 1; i <= left.length; i++) {
      for (int j = 1; j <= right.length; j++) {
        length[i][j] = left[i - 1] == right[j - 1]
            ? length[i - 1][j - 1] + 1
            : Math.max(length[i - 1][j], length[i][j - 1]);
      }
    }
    return length[left.length][right.length];
  }

  private static String words(Random random, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "word" + random.nextInt(300) + (i % 12 == 11 ? "\n" : " "))
        .collect(Collectors.joining());
  }

  private static String edited(Random random, String text) {
    return text.lines()
        .filter(line -> random.nextInt(20) > 0)
        .map(line -> random.nextInt(4) > 0 ? line : line.replace('5', 'x') + " more")
        .collect(Collectors.joining("\n", "first\n", "last"));
  }
}
