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
 * element that is left is. Immutable.
 */
public final class UnorderedArray implements ComparisonRule {

  private final PathPattern path;
  private final @Nullable String key;
  private final List<String> keyTokens;

  private UnorderedArray(PathPattern path, @Nullable String key, List<String> keyTokens) {
    this.path = path;
    this.key = key;
    this.keyTokens = keyTokens;
  }

  /**
   * The arrays at a pattern of JSON pointers; what else is there is compared as ever.
   *
   * @throws IllegalArgumentException if it is none, as {@link Ignore#pointer} documents
   */
  public static UnorderedArray at(String pattern) {
    return new UnorderedArray(PathPattern.parse(pattern), null, List.of());
  }

  /**
   * With a key by which elements that differ are known again.
   *
   * @param newKey the name of a member of the elements, or a JSON Pointer (RFC 6901) into them,
   *     which begins with {@code '/'}
   * @throws IllegalArgumentException if it begins with {@code '/'} and is no JSON Pointer
   */
  public UnorderedArray keyedBy(String newKey) {
    Objects.requireNonNull(newKey, "key");
    List<String> names =
        newKey.startsWith("/") ? JsonPointer.parse(newKey).tokens() : List.of(newKey);
    return new UnorderedArray(path, newKey, names);
  }

  @Override
  public String description() {
    return "unordered " + path + (key == null ? "" : " by " + key);
  }

  @Override
  public String toString() {
    return description();
  }

  PathPattern path() {
    return path;
  }

  /** The key as the tokens of a JSON Pointer into an element; none where there is no key. */
  public List<String> keyTokens() {
    return keyTokens;
  }
}
