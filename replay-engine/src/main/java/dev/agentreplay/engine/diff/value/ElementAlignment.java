package dev.agentreplay.engine.diff.value;

import dev.agentreplay.model.alignment.Alignment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aligns the elements of two ordered arrays, so that an inserted element does not affect the
 * others: first equal elements ({@link Alignment}), then different ones in the gaps by similarity.
 */
public final class ElementAlignment {

  private final ValueDigests digests;
  private final List<ElementPair> pairs = new ArrayList<>();

  private ElementAlignment(ValueDigests digests) {
    this.digests = digests;
  }

  /**
   * Returns the elements that differ between two arrays, in order; null when more elements than
   * {@code maxElements}, of both arrays together, would have to be aligned.
   */
  public static @Nullable List<ElementPair> of(
      ComparedValue left, ComparedValue right, ValueDigests digests, int maxElements) {
    if (isLonger(left.children, right.children, digests, maxElements)) {
      return null;
    }
    ElementAlignment alignment = new ElementAlignment(digests);
    int[] aligned = alignment.align(left, right);
    int l = 0;
    int r = 0;
    for (int i = 0; i <= aligned.length; i++) {
      if (i < aligned.length && aligned[i] < 0) {
        continue;
      }
      int rightEnd = i < aligned.length ? aligned[i] : right.children.length;
      alignment.between(
          Arrays.copyOfRange(left.children, l, i),
          Arrays.copyOfRange(right.children, r, rightEnd),
          r);
      l = i + 1;
      r = rightEnd + 1;
    }
    return alignment.pairs;
  }

  /**
   * Whether more elements than {@code maxElements} are left without the equal ones at both ends.
   */
  private static boolean isLonger(
      ComparedValue[] left, ComparedValue[] right, ValueDigests digests, int maxElements) {
    long both = (long) left.length + right.length;
    if (both <= maxElements) {
      return false;
    }
    int shorter = Math.min(left.length, right.length);
    int prefix = 0;
    while (prefix < shorter && areEqual(left[prefix], right[prefix], digests)) {
      prefix++;
    }
    int suffix = 0;
    while (suffix < shorter - prefix
        && areEqual(left[left.length - 1 - suffix], right[right.length - 1 - suffix], digests)) {
      suffix++;
    }
    return both - 2L * (prefix + suffix) > maxElements;
  }

  private static boolean areEqual(ComparedValue left, ComparedValue right, ValueDigests digests) {
    return (left.isScalar() && right.isScalar())
        ? digests.same(left.scalar(), right.scalar())
        : Arrays.equals(left.digest(digests), right.digest(digests));
  }

  /** Pairs the elements in the gap between two pairs of equal elements. */
  private void between(ComparedValue[] left, ComparedValue[] right, int at) {
    boolean isLeftLonger = left.length > right.length;
    ComparedValue[] longer = isLeftLonger ? left : right;
    int[] paired = LikelyPairs.of(isLeftLonger ? right : left, longer, digests);
    int next = 0;
    for (int i = 0; i < longer.length; i++) {
      boolean isPaired = next < paired.length && paired[next] == i;
      ComparedValue before = isPaired || isLeftLonger ? left[isLeftLonger ? i : next] : null;
      ComparedValue after = isPaired || !isLeftLonger ? right[isLeftLonger ? next : i] : null;
      pairs.add(new ElementPair(before, after, at + (isLeftLonger ? next : i)));
      next += isPaired ? 1 : 0;
    }
  }

  /**
   * Returns for each element of the left array the index of the equal one in the right array, or
   * -1.
   */
  private int[] align(ComparedValue left, ComparedValue right) {
    return Alignment.symmetric(
        Arrays.asList(left.children),
        Arrays.asList(right.children),
        element -> element.isScalar()
            ? digests.key(element.scalar())
            : ByteBuffer.wrap(element.digest(digests)),
        (one, other) -> Arrays.compareUnsigned(one.digest(digests), other.digest(digests)));
  }
}
