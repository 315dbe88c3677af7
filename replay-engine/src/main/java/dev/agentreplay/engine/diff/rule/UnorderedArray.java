package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rule for arrays whose order is not significant: they are compared as multisets.
 *
 * <pre>{@code
 * UnorderedArray.at("/output/items");               // [1, 2, 2] is [2, 1, 2]
 * UnorderedArray.at("/output/items").keyedBy("id"); // and elements of one id are compared
 * }</pre>
 *
 * <p>Equal elements are paired, at any index. Of the other elements, those with equal keys are
 * compared with each other, in order if several have the same key. Elements without a partner or a
 * key are missing or added as a whole; without a key in the rule, that is every element that is not
 * equal to another. If rules select something in the texts of some elements, elements are equal if
 * they are as {@link ComparisonRule} documents it for two texts, and as many as possible are
 * paired. Arrays are compared as a whole if more than 250,000 pairs of elements with texts in
 * different forms would have to be compared with each other.
 *
 * <p>An array may be in a text, or be the whole text, as {@link ComparisonRule} documents. A key
 * continues into elements that are texts.
 *
 * @param place the pattern of the places of the arrays, as {@link Ignore#at} documents it
 * @param key the key by which elements that differ are paired: the name of a member of the
 *     elements, or a JSON Pointer (RFC 6901) into them; null when there is none
 */
public record UnorderedArray(String place, @Nullable String key) implements ComparisonRule {

  /**
   * Checks the pattern and the key.
   *
   * @throws IllegalArgumentException if {@code place} is not a valid pattern, or {@code key} begins
   *     with {@code '/'} and is not a JSON Pointer
   */
  public UnorderedArray {
    PathPattern.parse(place);
    if (key != null && key.startsWith("/")) {
      JsonPointer.parse(key);
    }
  }

  /**
   * Returns a rule for the arrays at a pattern of JSON Pointers; other values there are compared as
   * usual.
   *
   * @param pattern the pattern, as {@link Ignore#at} documents it
   * @throws IllegalArgumentException if it is not a valid pattern
   */
  public static UnorderedArray at(String pattern) {
    return new UnorderedArray(pattern, null);
  }

  /**
   * Returns this rule with a key by which elements that differ are paired.
   *
   * @param newKey the name of a member of the elements, or a JSON Pointer (RFC 6901) into them,
   *     which begins with {@code '/'}
   * @throws IllegalArgumentException if it begins with {@code '/'} and is not a JSON Pointer
   */
  public UnorderedArray keyedBy(String newKey) {
    return new UnorderedArray(place, Objects.requireNonNull(newKey, "key"));
  }

  /**
   * Parses a rule of the command line: {@code /output/items}, or with a key
   * {@code /output/items=id}.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static UnorderedArray parse(String text) {
    int equals = text.lastIndexOf('=');
    if (equals >= 0 && equals == text.length() - 1) {
      throw new IllegalArgumentException(
          "expected /PTR or /PTR=KEY, found an empty KEY: \"" + Excerpt.of(text) + '"');
    }
    return equals < 0
        ? at(text)
        : at(text.substring(0, equals)).keyedBy(text.substring(equals + 1));
  }

  @Override
  public String description() {
    return "unordered " + place + (key == null ? "" : " by " + key);
  }

  /**
   * Returns the key as the tokens of a JSON Pointer into an element; empty when there is no key.
   */
  public List<String> keyTokens() {
    if (key == null) {
      return List.of();
    }
    return key.startsWith("/") ? JsonPointer.parse(key).tokens() : List.of(key);
  }
}
