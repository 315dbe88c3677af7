package dev.agentreplay.publish.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LazyAutomatonTest {

  private static final int CHARACTERS = 8;

  private static LazyAutomaton automaton(PatternNode pattern) {
    return Objects.requireNonNull(LazyAutomaton.of(pattern));
  }

  private static PatternNode pattern(String regex) {
    return Objects.requireNonNull(PatternParser.parse(regex));
  }

  @ParameterizedTest
  @CsvSource({
    "ab[0-9]{2}, xab12, true",
    "ab[0-9]{2}, ab12, true",
    "ab[0-9]{2}, ba12, false",
    "ab[0-9]{2}, xab1x, false",
    "'(?i)key[ =]{1,3}', 'KEY= ', true",
    "'(?i)key[ =]{1,3}', \u212aey=, true", // the Kelvin sign is a form of K
    "'(?i)key[ =]{1,3}', kay=, false",
    "(?:ab|cd)e?, xcd, true",
    "(?:ab|cd)e?, xcde, true",
    "(?:ab|cd)e?, xdc, false",
    "a[^x]b, a\ud83d\ude00b, true",
    "a[^x]b, axb, false",
    "abc$, abc, true",
    "abc$, abd, false",
    "a[0-9]{20}, b12345678, true", // too far to be excluded
    "a[0-9]{20}, b1234567, false",
  })
  void pattern_may_end_where_the_characters_before_match_backwards(
      String regex, String text, boolean may) {
    LazyAutomaton backwards = automaton(PatternNode.reversed(pattern(regex)));

    assertThat(backwards.mayEnd(text + "...", text.length(), CHARACTERS)).isEqualTo(may);
  }

  @ParameterizedTest
  @CsvSource({
    "ab[0-9]{2}, ab12x, true",
    "ab[0-9]{2}, ba12, false",
    "ab[0-9]{2}, ab1, true", // the text ends, and nothing is excluded
    "a[0-9]{20}, a1234567x, true",
    "a[0-9]{20}, a123456x, false",
    "a[^x]b, a\u00e9b, true",
  })
  void pattern_may_begin_where_the_next_characters_match(String regex, String text, boolean may) {
    assertThat(automaton(pattern(regex)).mayBegin("." + text, 1, CHARACTERS)).isEqualTo(may);
  }

  @ParameterizedTest
  @CsvSource({"a?b{0}, true", "(a|b*), true", "a?b, false", "^$, true", "(a+)?, true", "a{1}, false"
  })
  void empty_text_matches_what_needs_no_character(String regex, boolean matches) {
    assertThat(PatternNode.matchesEmpty(pattern(regex))).isEqualTo(matches);
  }

  /** The automaton forgets its states when there are too many, and finds them again. */
  @Test
  void answer_does_not_depend_on_the_texts_before() {
    PatternNode pattern = pattern("(?:a|b)*a(?:a|b){12}c");
    LazyAutomaton kept = automaton(pattern);
    Random random = new Random(5);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder letters = new StringBuilder();
      random.ints(30, 'a', 'c').forEach(c -> letters.append((char) c));
      letters.setCharAt(random.nextInt(30), 'c');
      String text = letters.toString();
      LazyAutomaton fresh = automaton(pattern);

      assertThat(kept.mayBegin(text, 0, 30)).isEqualTo(fresh.mayBegin(text, 0, 30));
      assertThat(kept.mayEnd(text, 30, 30)).isEqualTo(fresh.mayEnd(text, 30, 30));
    }
  }
}
