package dev.agentreplay.engine.diff.value;

import java.util.List;
import java.util.Objects;

/**
 * Determines whether arrays are equal index by index, before their elements are aligned on equal
 * digests: equal elements may have different digests within tolerances, and if rules select
 * something in the text of one of them only. An instance is for one comparison. The work is
 * bounded, because nested arrays are compared again at each level: each compared value counts, and
 * the length of each text that is parsed and of each array whose elements are paired. Above the
 * bound only one more array is paired.
 */
public final class IndexComparison {

  private static final int TIMES = 16;

  private final ValueDigests digests;
  private final ValueNormalizer normalizer;
  private final CloseRules close;
  private final int maxElements;
  private final boolean hasTolerance;
  private long visitsLeft;

  public IndexComparison(
      ValueDigests digests, ValueNormalizer normalizer, CloseRules close, int maxElements) {
    this.digests = digests;
    this.normalizer = normalizer;
    this.close = close;
    this.maxElements = maxElements;
    this.hasTolerance = close.hasTolerance();
  }

  /** Begins the comparison of two views, and resets the bound. */
  public void begin(ComparedValue left, ComparedValue right) {
    visitsLeft = TIMES * (left.size + right.size);
  }

  /**
   * Whether two arrays are equal index by index.
   *
   * @param counted whether to count the tolerances that apply, if they are
   */
  public boolean areEqual(ComparedValue left, ComparedValue right, boolean counted) {
    boolean isNeeded = hasTolerance || left.holdsParsed() || right.holdsParsed();
    boolean areEqual = isNeeded && agree(left, right, false);
    return areEqual && (!counted || agree(left, right, true));
  }

  private boolean agree(ComparedValue left, ComparedValue right, boolean counted) {
    if (!counted && visitsLeft-- <= 0) {
      return false;
    }
    if (left.isParsed() || right.isParsed()) {
      visitsLeft -= left.size + right.size;
      ComparedValue before = normalizer.inside(left);
      ComparedValue after = normalizer.inside(right);
      return (before != null && after != null && before.isObject() == after.isObject())
          ? agree(before, after, counted)
          : agree(normalizer.asText(left), normalizer.asText(right), counted);
    }
    if (left.isScalar() || right.isScalar()) {
      return left.isScalar()
          && right.isScalar()
          && (digests.same(left.scalar(), right.scalar())
              || close.isWithinTolerance(left, right, counted));
    }
    if (left.isObject() != right.isObject() || left.children.length != right.children.length) {
      return false;
    }
    if (left.unordered != null && right.unordered != null) {
      UnorderedElements elements = new UnorderedElements(left.unordered, digests, normalizer);
      List<ElementPair> pairs = elements.pair(left, right, maxElements);
      visitsLeft -= left.size + right.size + elements.visits();
      return pairs != null && agree(pairs, counted);
    }
    for (int i = 0; i < left.children.length; i++) {
      if (!left.children[i].name.equals(right.children[i].name)
          || !agree(left.children[i], right.children[i], counted)) {
        return false;
      }
    }
    return true;
  }

  private boolean agree(List<ElementPair> pairs, boolean counted) {
    for (ElementPair pair : pairs) {
      if (pair.left() == null
          || pair.right() == null
          || !agree(
              Objects.requireNonNull(pair.left()), Objects.requireNonNull(pair.right()), counted)) {
        return false;
      }
    }
    return true;
  }
}
