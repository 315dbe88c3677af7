package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.model.json.JsonPointer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An array whose order says nothing: what it holds is compared, and how often.
 *
 * <pre>{@code
 * UnorderedArray.at("/output/items");               // [1, 2, 2] is [2, 1, 2]
 * UnorderedArray.at("/output/items").keyedBy("id"); // and elements of one id are compared
 * }</pre>
 *
 * <p>Elements that are equal belong together, wherever they are. Of those that are left, the ones
 * with equal keys are compared with each other, in order where several have the same key; one
 * without a partner, or without a key, is missing or added as a whole. Where no key is given every
 * element that is left is.
 *
 * @param place the pattern of the places of the arrays, as {@link Ignore#at} documents it
 * @param key the name of a member of the elements, or a JSON Pointer (RFC 6901) into them, by which
 *     elements that differ are known again; null when there is none
 */
public record UnorderedArray(String place, @Nullable String key) implements ComparisonRule {

  /** Checks the pattern and the key. */
  public UnorderedArray {
    PathPattern.parse(place);
    if (key != null && key.startsWith("/")) {
      JsonPointer.parse(key);
    }
  }

  /**
   * The arrays at a pattern of JSON pointers; what else is there is compared as ever.
   *
   * @throws IllegalArgumentException if it is not one, as {@link Ignore#at} documents
   */
  public static UnorderedArray at(String pattern) {
    return new UnorderedArray(pattern, null);
  }

  /**
   * With a key by which elements that differ are known again.
   *
   * @param newKey the name of a member of the elements, or a JSON Pointer (RFC 6901) into them,
   *     which begins with {@code '/'}
   * @throws IllegalArgumentException if it begins with {@code '/'} and is not a JSON Pointer
   */
  public UnorderedArray keyedBy(String newKey) {
    return new UnorderedArray(place, Objects.requireNonNull(newKey, "key"));
  }

  @Override
  public String description() {
    return "unordered " + place + (key == null ? "" : " by " + key);
  }

  /** The key as the tokens of a JSON Pointer into an element; none where there is no key. */
  public List<String> keyTokens() {
    if (key == null) {
      return List.of();
    }
    return key.startsWith("/") ? JsonPointer.parse(key).tokens() : List.of(key);
  }
}
