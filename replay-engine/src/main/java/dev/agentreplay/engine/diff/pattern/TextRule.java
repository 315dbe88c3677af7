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
 * Replaces the matches of patterns in texts, one pattern after the other. The patterns of this
 * library take time proportional to the length of a text, because their repetitions are bounded or
 * possessive.
 */
public final class TextRule implements ScalarRule {

  /** The start of a placeholder: a noncharacter, which recorded texts should not contain. */
  public static final char OPEN = '\uFDD0';

  /** The end of a placeholder. */
  public static final char CLOSE = '\uFDD1';

  /** The length up to which a text may be a number. */
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

  /**
   * Returns a rule that replaces the matches by the placeholder of a word, which no recorded text
   * should contain.
   */
  public static TextRule replacing(String word, Pattern... patterns) {
    return always(OPEN + word + CLOSE, patterns);
  }

  /** Returns a rule that removes the matches. */
  public static TextRule removing(Pattern... patterns) {
    return always("", patterns);
  }

  private static TextRule always(String word, Pattern... patterns) {
    return new TextRule(word, List.of(patterns), match -> true, (member, number) -> false);
  }

  /**
   * Returns this rule, applied also to numbers, and to texts that are numbers.
   *
   * @param whichNumbers accepts the numbers to replace, by the name of the member and the number
   */
  public TextRule andNumbers(BiPredicate<String, JsonNumber> whichNumbers) {
    return new TextRule(word, patterns, meant, whichNumbers);
  }

  /** Returns this rule, applied only to the matches that a predicate accepts. */
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
