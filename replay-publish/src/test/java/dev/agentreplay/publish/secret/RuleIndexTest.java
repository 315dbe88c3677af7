package dev.agentreplay.publish.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** Compares the search by literals and automata with one that reads everything. */
class RuleIndexTest {

  private static final List<SecretRule> RULES = SecretRules.bundled().rules();
  private static final RuleIndex INDEX = new RuleIndex(RULES);

  private static final List<String> PIECES = List.of(
      "\"",
      "'",
      " = ",
      ": ",
      "\n",
      " ",
      ";",
      "key",
      "api",
      "token",
      "secret",
      "password",
      "auth_",
      "access-",
      "\ud83d\ude00",
      "ſecret",
      "\u212aey",
      "\\n",
      "=>",
      "x7Zq0pLm9",
      "abcdefghij0123456789",
      "https://",
      "curl -u ",
      "@host.example");

  @Property(tries = 300)
  void search_by_literals_finds_what_a_naive_search_finds(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i >= 0; i--) {
      if (random.nextInt(3) == 0) {
        SecretRule rule = RULES.get(random.nextInt(RULES.size()));
        PatternNode pattern =
            Objects.requireNonNull(PatternParser.parse(rule.regex().pattern()), rule.id());
        text.append(PatternTexts.random(pattern, random));
      } else {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
    }

    assertThat(find(text.toString())).isEqualTo(naive(text.toString()));
  }

  /** The search of a part of the text must not take the end of the part for that of the text. */
  @Example
  void match_at_the_end_of_the_text_is_found_at_no_other_place() {
    String token = "eyJhbGciOiJIUzI1NiIsInR5.eyJzdWIiOiIxMjM0NTY3ODkw.SflKxwRJSMeKKF2QT4";
    for (String after : List.of("xy.z", "xyzzy".repeat(100) + ".z")) {
      String text = token + "\\n" + after;

      assertThat(find(text)).isEqualTo(naive(text)).isNotEmpty();
    }
  }

  @Property(tries = 20)
  @Tag("slow")
  void text_that_matches_a_pattern_is_found_by_its_rule(@ForAll long seed) {
    Random random = new Random(seed);
    for (SecretRule rule : RULES) {
      PatternNode pattern =
          Objects.requireNonNull(PatternParser.parse(rule.regex().pattern()), rule.id());
      String text = "\n" + PatternTexts.random(pattern, random) + "\n";
      List<RuleSearch.Found> found = new ArrayList<>();
      new RuleIndex(List.of(rule)).find(text, false, found);

      assertThat(found).as(rule.id()).isEqualTo(NaiveScan.find(List.of(rule), text));
    }
  }

  private static List<String> find(String text) {
    List<RuleSearch.Found> found = new ArrayList<>();
    INDEX.find(text, false, found);
    return sorted(found);
  }

  private static List<String> naive(String text) {
    return sorted(NaiveScan.find(RULES, text));
  }

  private static List<String> sorted(List<RuleSearch.Found> found) {
    return found.stream()
        .sorted(Comparator.comparing((RuleSearch.Found f) -> f.rule().id())
            .thenComparing(RuleSearch.Found::from))
        .map(f -> "%s %d-%d %d-%d"
            .formatted(f.rule().id(), f.from(), f.to(), f.secretFrom(), f.secretTo()))
        .toList();
  }
}
