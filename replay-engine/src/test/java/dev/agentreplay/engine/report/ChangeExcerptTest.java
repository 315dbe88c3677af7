package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.report.ChangeExcerpt.Limits;
import dev.agentreplay.engine.report.ChangeExcerpt.Line;
import dev.agentreplay.engine.report.ChangeExcerpt.Segment;
import dev.agentreplay.engine.report.ChangeExcerpt.Sign;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ChangeExcerptTest {

  private static final Limits LIMITS = new Limits(20, 60);

  private static ChangeExcerpt excerpt(Object before, Object after, Limits limits) {
    return ChangeExcerpt.of(
        TestDiffs.change(DivergenceKind.OUTPUT, "/output", before, after), limits);
  }

  /** The lines with their signs; what is changed in them in brackets. */
  private static String shown(Object before, Object after) {
    return shown(excerpt(before, after, LIMITS));
  }

  private static String shown(ChangeExcerpt excerpt) {
    return excerpt.lines().stream()
        .map(line -> line.sign().symbol()
            + line.segments().stream()
                .map(part -> part.changed() ? "[" + part.text() + "]" : part.text())
                .collect(Collectors.joining()))
        .collect(Collectors.joining("\n"));
  }

  private static String numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  @Test
  void texts_of_lines_show_two_equal_ones_around_what_differs_and_count_the_others() {
    assertThat(shown(numbers(0, 40), numbers(0, 10) + "new\n" + numbers(10, 30) + numbers(31, 40)))
        .isEqualTo(
            """
            …8 lines equal
             8
             9
            +new
             10
             11
            …16 lines equal
             28
             29
            -30
             31
             32
            …7 lines equal""");
  }

  @Test
  void words_that_differ_in_a_line_are_marked() {
    assertThat(shown("the quick brown fox jumps", "the quick red fox leaps"))
        .isEqualTo("-the quick [brown] fox [jumps]\n+the quick [red] fox [leaps]");
    assertThat(shown("the big brown fox jumps", "the small red fox jumps"))
        .isEqualTo("-the [big brown] fox jumps\n+the [small red] fox jumps");
    assertThat(shown("something", "else entirely")).isEqualTo("-something\n+else entirely");
  }

  @Test
  void line_that_is_too_long_is_cut_around_the_difference_and_its_size_is_shown() {
    String before = "a".repeat(8_000) + "X" + "b".repeat(4_344);
    String after = "a".repeat(8_000) + "YY" + "b".repeat(4_344);

    assertThat(shown(before, after))
        .isEqualTo("-…" + "a".repeat(20) + "[X]" + "b".repeat(37) + "…\n"
            + "+…" + "a".repeat(20) + "[YY]" + "b".repeat(36) + "…\n"
            + "…12,345 and 12,346 characters, changed at 8,001");
  }

  @Test
  void line_that_is_cut_keeps_surrogate_pairs_whole() {
    for (int offset = 0; offset < 2; offset++) {
      String common = "x".repeat(offset) + "😀".repeat(500);
      for (Line line :
          excerpt(common + "1" + common, common + "2" + common, LIMITS).lines()) {
        line.segments().forEach(part -> assertThat(JsonValue.of(part.text())).isNotNull());
        assertThat(text(line).length()).isLessThanOrEqualTo(60);
      }
    }
  }

  @Test
  void carriage_returns_and_missing_last_newlines_are_differences() {
    assertThat(shown("a\r\nb", "a\nb")).isEqualTo("-a[\r]\n+a\n b");
    assertThat(shown("a\nb\n", "a\nb")).isEqualTo(" a\n-b\n+b\n…+ ends without a newline");
  }

  @Test
  void members_that_differ_are_shown_next_to_equal_ones_and_the_others_are_counted() {
    JsonObject.Builder before = JsonObject.builder();
    for (int i = 0; i < 12; i++) {
      before.add("m" + i, JsonValue.of(i));
    }
    JsonObject left = before.build();
    JsonObject right = left.with("m6", "six").without("m9").with("n", JsonArray.of(1));

    assertThat(shown(left, right))
        .isEqualTo(
            """
            …5 members equal
             "m5": 5
            -"m6": [6]
            +"m6": ["six"]
             "m7": 7
             "m8": 8
            -"m9": 9
             "m10": 10
             "m11": 11
            +"n": [1]""");
  }

  @Test
  void elements_are_aligned_and_texts_that_are_json_are_compared_as_such() {
    assertThat(shown("[1, 2, {\"a\": 1}, 4, 5, 6, 7]", "[1,2,{\"a\":2},4,5,6,7,8]"))
        .isEqualTo(
            """
             [
               1
               2
               {
            -    "a": [1]
            +    "a": [2]
               }
               4
            …  2 elements equal
               7
            +  8
             ]""");
    assertThat(shown("[1, 2]", "[1,2]")).isEqualTo("-[1,[ ]2]\n+[1,2]");
    assertThat(shown("[1, 2", "[1, 3")).isEqualTo("-[1, [2]\n+[1, [3]");
  }

  @Test
  void text_is_distinguished_from_other_values() {
    assertThat(shown("5", 5)).isEqualTo("-[\"]5[\"]\n+5");
    assertThat(shown("5", null)).isEqualTo("-5");
    assertThat(shown(null, "")).isEqualTo("+\"\"");
    assertThat(shown(null, JsonValue.of(null))).isEqualTo("+null");
  }

  @Test
  void text_inside_of_json_is_compared_by_lines() {
    assertThat(shown(
            JsonObject.of("a", 1, "log", "one\ntwo\n"), JsonObject.of("a", 1, "log", "one\n2\n")))
        .isEqualTo(" \"a\": 1\n \"log\": (text)\n   one\n-  two\n+  2");
  }

  @Test
  void of_a_long_change_both_sides_are_shown_and_omissions_are_reported() {
    assertThat(shown(excerpt(numbers(0, 100), "other\ntext\n", new Limits(8, 60))))
        .isEqualTo("-0\n-1\n-2\n…97 more lines removed\n+other\n+text");
    assertThat(shown(excerpt(
            JsonArray.EMPTY, JsonValue.of(IntStream.range(0, 100).toArray()), new Limits(3, 60))))
        .isEqualTo(" [\n+  0\n+  1\n…cut here: the values have 2 and 291 characters");
  }

  @Test
  void one_new_line_in_a_long_text_is_one_line() {
    assertThat(shown("a\n".repeat(20_000), "a\n".repeat(10_000) + "b\n" + "a\n".repeat(10_000)))
        .isEqualTo("…9,998 lines equal\n a\n a\n+b\n a\n a\n…9,998 lines equal");
  }

  @Test
  void texts_of_ten_million_characters_give_a_few_short_lines() {
    String many = "\n".repeat(10_000_000);
    String long1 = "x".repeat(10_000_000);

    for (ChangeExcerpt excerpt : List.of(
        excerpt(many, "a" + many, LIMITS),
        excerpt(many, "y\n".repeat(5_000_000), LIMITS),
        excerpt(long1, long1 + "y", LIMITS),
        excerpt(long1, "y", LIMITS),
        excerpt(null, many, LIMITS),
        excerpt(null, "[" + "1,".repeat(4_000_000) + "1]", LIMITS))) {
      assertThat(excerpt.lines()).hasSizeBetween(1, 24);
      assertThat(excerpt.lines()).allMatch(line -> text(line).length() <= 80);
    }
  }

  @Property(tries = 500)
  void lines_of_an_excerpt_are_those_of_both_texts(
      @ForAll("texts") String before, @ForAll("texts") String after) {
    List<Line> lines =
        excerpt(before + "!", after + "!", new Limits(1_000, 200)).lines();

    assertThat(count(lines, Sign.REMOVED)).isEqualTo((before + "!").lines().count());
    assertThat(count(lines, Sign.ADDED)).isEqualTo((after + "!").lines().count());
    (before + "!").lines().forEach(line -> assertThat(line).isNotNull());
    lines.stream()
        .filter(line -> line.sign() == Sign.REMOVED)
        .forEach(line -> assertThat((before + "!").lines()).contains(text(line)));
    lines.stream()
        .filter(line -> line.sign() == Sign.ADDED)
        .forEach(line -> assertThat((after + "!").lines()).contains(text(line)));
  }

  /** The number of lines of a side that are shown, or counted as equal. */
  private static long count(List<Line> lines, Sign side) {
    return lines.stream()
        .mapToLong(line -> {
          if (line.sign() == Sign.NOTE && text(line).contains("equal")) {
            return Long.parseLong(text(line).split(" ")[0].replace(",", ""));
          }
          return line.sign() == side || line.sign() == Sign.SAME ? 1 : 0;
        })
        .sum();
  }

  private static String text(Line line) {
    return line.segments().stream().map(Segment::text).collect(Collectors.joining());
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("a", "b", "c d", "").list().ofMaxSize(30).map(lines -> lines.stream()
        .map(line -> line + "\n")
        .collect(Collectors.joining()));
  }
}
