package dev.agentreplay.engine.diff.value;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the elements of two unordered arrays: first equal elements, at any index, then elements
 * with equal keys, in order.
 */
public final class UnorderedElements {

  private final List<String> keyTokens;
  private final ValueDigests digests;
  private final ValueNormalizer normalizer;
  private long visits;

  public UnorderedElements(UnorderedArray rule, ValueDigests digests, ValueNormalizer normalizer) {
    this.keyTokens = rule.keyTokens();
    this.digests = digests;
    this.normalizer = normalizer;
  }

  /**
   * Returns the elements that differ: in the order of the left array, then those that only the
   * right array has. Returns null when the arrays do not have the same digest and both together
   * have more elements than {@code maxElements}, or more texts would have to be compared with each
   * other than is possible in reasonable time.
   */
  @Nullable
  public List<ElementPair> pair(ComparedValue left, ComparedValue right, int maxElements) {
    if ((long) left.children.length + right.children.length > maxElements) {
      return Arrays.equals(left.digest(digests), right.digest(digests)) ? List.of() : null;
    }
    List<ComparedValue> before;
    List<ComparedValue> after;
    if (left.holdsParsed() || right.holdsParsed()) {
      EqualElements equality = new EqualElements(left, right, digests, normalizer, maxElements);
      Set<ComparedValue> equal = equality.find();
      visits += equality.visits();
      if (equal == null) {
        return Arrays.equals(left.digest(digests), right.digest(digests)) ? List.of() : null;
      }
      before =
          Stream.of(left.children).filter(element -> !equal.contains(element)).toList();
      after =
          Stream.of(right.children).filter(element -> !equal.contains(element)).toList();
    } else {
      before = without(left, right);
      after = without(right, left);
    }
    Map<ByteBuffer, Deque<ComparedValue>> byKey = new HashMap<>();
    for (ComparedValue element : after) {
      ByteBuffer key = key(element);
      if (key != null) {
        byKey.computeIfAbsent(key, k -> new ArrayDeque<>(1)).add(element);
      }
    }
    List<ElementPair> pairs = new ArrayList<>();
    Set<ComparedValue> paired = new HashSet<>();
    for (ComparedValue element : before) {
      ByteBuffer key = key(element);
      Deque<ComparedValue> candidates = key == null ? null : byKey.get(key);
      ComparedValue partner = candidates == null ? null : candidates.poll();
      pairs.add(new ElementPair(element, partner, element.index));
      if (partner != null) {
        paired.add(partner);
      }
    }
    for (ComparedValue element : after) {
      if (!paired.contains(element)) {
        pairs.add(new ElementPair(null, element, element.index));
      }
    }
    return pairs;
  }

  /** The approximate number of values that were compared so far, without those of equal digests. */
  long visits() {
    return visits;
  }

  /**
   * The elements of an array that remain after one is removed for each equal element of the other.
   */
  private List<ComparedValue> without(ComparedValue array, ComparedValue other) {
    Map<ByteBuffer, Integer> counts = new HashMap<>();
    for (ComparedValue element : other.children) {
      counts.merge(ByteBuffer.wrap(element.digest(digests)), 1, Integer::sum);
    }
    List<ComparedValue> left = new ArrayList<>(Arrays.asList(array.children));
    left.removeIf(
        element -> counts.merge(ByteBuffer.wrap(element.digest(digests)), -1, Integer::sum) >= 0);
    return left;
  }

  private @Nullable ByteBuffer key(ComparedValue element) {
    ComparedValue key = keyTokens.isEmpty() ? null : element;
    for (String token : keyTokens) {
      key = key == null ? null : child(key, token);
    }
    return key == null ? null : ByteBuffer.wrap(key.digest(digests));
  }

  /** The member or element at a token; of a text that holds JSON, that of the held value. */
  private static @Nullable ComparedValue child(ComparedValue value, String token) {
    if (value.original instanceof JsonString text && !value.isParsed()) {
      JsonValue held = JsonText.parseContainer(text.value());
      return held == null ? null : ValueNormalizer.EXACT.read(held).child(token);
    }
    return value.child(token);
  }
}
