package dev.agentreplay.engine.diff.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the equal elements of two unordered arrays if rules select something in the texts of some
 * elements. A text in which a rule selects something is compared as a value with any text that
 * holds JSON, and two other texts are compared exactly. So equality is not transitive, and equal
 * elements may have different digests: the largest number of pairs is searched.
 */
final class EqualElements {

  /**
   * The maximum number of pairs among elements that may be equal; of more, each element is paired
   * with the first free one that is equal to it.
   */
  private static final int MAX_PAIRS = 250_000;

  private final ValueDigests digests;
  private final ValueNormalizer normalizer;
  private final int maxElements;

  EqualElements(ValueDigests digests, ValueNormalizer normalizer, int maxElements) {
    this.digests = digests;
    this.normalizer = normalizer;
    this.maxElements = maxElements;
  }

  /** The elements of two arrays that may be equal. */
  private record Group(List<ComparedValue> left, List<ComparedValue> right) {

    Group() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  /** Returns the elements of both arrays that have an equal partner, as many as possible. */
  Set<ComparedValue> of(ComparedValue left, ComparedValue right) {
    Map<Integer, Group> groups = new LinkedHashMap<>();
    for (ComparedValue element : left.children) {
      groups.computeIfAbsent(hash(element), key -> new Group()).left.add(element);
    }
    for (ComparedValue element : right.children) {
      groups.computeIfAbsent(hash(element), key -> new Group()).right.add(element);
    }
    Set<ComparedValue> equal = new HashSet<>();
    groups.values().forEach(group -> pair(group, equal));
    return equal;
  }

  /** Pairs the elements of a group: first those in whose texts no rule selects anything. */
  private void pair(Group group, Set<ComparedValue> equal) {
    Comparator<ComparedValue> order = Comparator.comparing(ComparedValue::holdsParsed);
    ComparedValue[] left = group.left.stream().sorted(order).toArray(ComparedValue[]::new);
    ComparedValue[] right = group.right.stream().sorted(order).toArray(ComparedValue[]::new);
    int[] leftOf = new int[right.length];
    Arrays.fill(leftOf, -1);
    boolean isSmall = (long) left.length * right.length <= MAX_PAIRS;
    for (int l = 0; l < left.length; l++) {
      if (!findFree(l, left, right, leftOf) && isSmall) {
        findOther(l, left, right, leftOf, new boolean[right.length]);
      }
    }
    for (int r = 0; r < right.length; r++) {
      if (leftOf[r] >= 0) {
        equal.add(left[leftOf[r]]);
        equal.add(right[r]);
      }
    }
  }

  private boolean findFree(int l, ComparedValue[] left, ComparedValue[] right, int[] leftOf) {
    for (int r = 0; r < right.length; r++) {
      if (leftOf[r] < 0 && areEqual(left[l], right[r])) {
        leftOf[r] = l;
        return true;
      }
    }
    return false;
  }

  /** Pairs an element with one whose partner finds another: an augmenting path. */
  private boolean findOther(
      int l, ComparedValue[] left, ComparedValue[] right, int[] leftOf, boolean[] visited) {
    for (int r = 0; r < right.length; r++) {
      if (!visited[r] && areEqual(left[l], right[r])) {
        visited[r] = true;
        if (leftOf[r] < 0 || findOther(leftOf[r], left, right, leftOf, visited)) {
          leftOf[r] = l;
          return true;
        }
      }
    }
    return false;
  }

  /** Whether nothing differs between two values, tolerances and close texts apart. */
  private boolean areEqual(ComparedValue left, ComparedValue right) {
    if (Arrays.equals(left.digest(digests), right.digest(digests))) {
      return true;
    }
    if (!left.holdsParsed() && !right.holdsParsed()) {
      return false;
    }
    if (left.isParsed() || right.isParsed()) {
      ComparedValue before = normalizer.inside(left);
      ComparedValue after = normalizer.inside(right);
      return before != null && after != null && areEqual(before, after);
    }
    if (left.isScalar()
        || right.isScalar()
        || left.isObject() != right.isObject()
        || left.children.length != right.children.length) {
      return false;
    }
    if (left.unordered != null && right.unordered != null) {
      return (long) left.children.length + right.children.length <= maxElements
          && of(left, right).size() == left.children.length + right.children.length;
    }
    for (int i = 0; i < left.children.length; i++) {
      if (!left.children[i].name.equals(right.children[i].name)
          || !areEqual(left.children[i], right.children[i])) {
        return false;
      }
    }
    return true;
  }

  /** A hash that is the same for all values that may be equal. */
  private int hash(ComparedValue value) {
    ComparedValue inside = normalizer.inside(value);
    if (inside != null) {
      return 31 * hash(inside) + 1;
    }
    if (value.isScalar()) {
      return Arrays.hashCode(value.digest(digests));
    }
    int sum = value.isObject() ? 1 : 2;
    for (ComparedValue child : value.children) {
      sum += child.name.hashCode() ^ 31 * hash(child);
    }
    return sum;
  }
}
