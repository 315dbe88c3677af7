package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces parts of texts, one pattern after the other. The patterns of this library cannot take
 * more than time in proportion to a text: what repeats in them is bounded, or possessive.
 */
public final class TextRule implements ScalarRule {

  /**
   * Begins a word that stands for something: a noncharacter, which no recorded text should hold.
   */
  public static final char OPEN = '\uFDD0';

  /** Ends a word that stands for something. */
  public static final char CLOSE = '\uFDD1';

  /** Longer texts are no numbers. */
  private static final int MAX_NUMBER = 40;

  private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?");

  private final String word;
  private final List<Pattern> patterns;
  private final Predicate<MatchResult> meant;
  private final BiPredicate<String, JsonNumber> numbers;

  private TextRule(
      String word,
      List<Pattern> patterns,
      Predicate<MatchResult> meant,
      BiPredicate<String, JsonNumber> numbers) {
    this.word = word;
    this.patterns = patterns;
    this.meant = meant;
    this.numbers = numbers;
  }

  /** Replaces what is matched by some word, which is no word of the text. */
  public static TextRule replacing(String word, Pattern... patterns) {
    return always(OPEN + word + CLOSE, patterns);
  }

  /** Removes what is matched. */
  public static TextRule removing(Pattern... patterns) {
    return always("", patterns);
  }

  private static TextRule always(String word, Pattern... patterns) {
    return new TextRule(word, List.of(patterns), match -> true, (member, number) -> false);
  }

  /** This rule, also for numbers, and texts that are one, of some members. */
  public TextRule andNumbers(BiPredicate<String, JsonNumber> whichNumbers) {
    return new TextRule(word, patterns, meant, whichNumbers);
  }

  /** This rule, only for matches of some kind. */
  public TextRule where(Predicate<MatchResult> isMeant) {
    return new TextRule(word, patterns, isMeant, numbers);
  }

  @Override
  public JsonValue apply(String member, JsonValue scalar) {
    if (scalar instanceof JsonNumber number) {
      return numbers.test(member, number) ? JsonString.of(word) : scalar;
    }
    return ScalarRule.super.apply(member, scalar);
  }

  @Override
  public void rewrite(String member, Rewriting text) {
    if (text.text().length() <= MAX_NUMBER
        && NUMBER.matcher(text.text()).matches()
        && numbers.test(member, JsonNumber.of(text.text()))) {
      text.replaceWhole(word);
      return;
    }
    String quoted = Matcher.quoteReplacement(word);
    for (Pattern pattern : patterns) {
      text.replace(pattern.matcher(text.text()), match -> meant.test(match) ? quoted : null);
    }
  }
}
