package dev.agentreplay.model.alignment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Aligns two sequences on their equal elements, so that an inserted or missing element does not
 * shift the rest.
 *
 * <p>The alignment is the longest common subsequence, found with the greedy forward algorithm of
 * Eugene Myers, "An O(ND) Difference Algorithm and Its Variations" (1986). Beyond
 * {@link #MAX_DIFFERENCES} differences, where that algorithm would take too long, the sequences are
 * first split at the elements that occur once in each, in the longest order common to both
 * (patience diff). Without such elements, each element is aligned with the next equal one nearby.
 * The result is then still a common subsequence, but perhaps not the longest.
 */
public final class Alignment {

  /** The maximum number of differences up to which the alignment is the longest. */
  public static final int MAX_DIFFERENCES = 2_000;

  private static final int NEAR = 64;

  /** The maximum depth of splitting, after which elements are aligned with equal ones nearby. */
  private static final int MAX_CUTS = 8;

  private final int[] aligned;

  private Alignment(int size) {
    aligned = new int[size];
    Arrays.fill(aligned, -1);
  }

  /**
   * Returns for every element of {@code left} the index of the element of {@code right} that it is
   * aligned with, or -1. The indices other than -1 increase.
   */
  public static int[] of(long[] left, long[] right) {
    Alignment alignment = new Alignment(left.length);
    alignment.align(left, 0, right, 0, MAX_CUTS);
    return alignment.aligned;
  }

  /** Like {@link #of(long[], long[])}, for elements that are compared by their keys. */
  public static <T> int[] of(List<T> left, List<T> right, Function<? super T, ?> key) {
    Map<Object, Long> numbers = new HashMap<>();
    return of(numbers(left, key, numbers), numbers(right, key, numbers));
  }

  /**
   * Like {@link #of(List, List, Function)}, but chooses among alignments of equal length the same
   * one when {@code left} and {@code right} are swapped.
   *
   * @param order an order of elements that are not equal, which decides which list is aligned with
   *     the other
   */
  public static <T> int[] symmetric(
      List<T> left, List<T> right, Function<? super T, ?> key, Comparator<? super T> order) {
    Map<Object, Long> numbers = new HashMap<>();
    long[] lefts = numbers(left, key, numbers);
    long[] rights = numbers(right, key, numbers);
    int first = Arrays.mismatch(lefts, rights);
    boolean isOneAPrefix = first < 0 || first >= Math.min(lefts.length, rights.length);
    return isOneAPrefix || order.compare(left.get(first), right.get(first)) <= 0
        ? of(lefts, rights)
        : mirrored(lefts, rights);
  }

  /** Numbers the elements: equal elements get equal numbers, different elements different ones. */
  private static <T> long[] numbers(
      List<T> elements, Function<? super T, ?> key, Map<Object, Long> numbers) {
    long[] numbered = new long[elements.size()];
    int i = 0;
    for (T element : elements) {
      numbered[i++] = numbers.computeIfAbsent(key.apply(element), k -> (long) numbers.size());
    }
    return numbered;
  }

  /**
   * Returns the alignment {@code of(other, one)}, inverted: that of {@code one} with {@code other}.
   */
  private static int[] mirrored(long[] one, long[] other) {
    int[] mirrored = of(other, one);
    int[] aligned = new int[one.length];
    Arrays.fill(aligned, -1);
    for (int i = 0; i < mirrored.length; i++) {
      if (mirrored[i] >= 0) {
        aligned[mirrored[i]] = i;
      }
    }
    return aligned;
  }

  /** Aligns subsequences that begin at an offset in the whole sequences. */
  private void align(long[] left, int leftOffset, long[] right, int rightOffset, int cutsLeft) {
    int shorter = Math.min(left.length, right.length);
    int prefix = 0;
    while (prefix < shorter && left[prefix] == right[prefix]) {
      set(leftOffset + prefix, rightOffset + prefix);
      prefix++;
    }
    int leftEnd = left.length;
    int rightEnd = right.length;
    while (leftEnd > prefix && rightEnd > prefix && left[leftEnd - 1] == right[rightEnd - 1]) {
      set(leftOffset + --leftEnd, rightOffset + --rightEnd);
    }
    if (leftEnd == prefix || rightEnd == prefix) {
      return;
    }
    long[] leftPart = Arrays.copyOfRange(left, prefix, leftEnd);
    long[] rightPart = Arrays.copyOfRange(right, prefix, rightEnd);
    List<int[]> trace = trace(leftPart, rightPart);
    if (trace == null) {
      cut(leftPart, leftOffset + prefix, rightPart, rightOffset + prefix, cutsLeft);
    } else {
      set(follow(trace, leftPart, rightPart), leftOffset + prefix, rightOffset + prefix);
    }
  }

  private void set(int left, int right) {
    aligned[left] = right;
  }

  private void set(int[] part, int leftOffset, int rightOffset) {
    for (int i = 0; i < part.length; i++) {
      set(leftOffset + i, part[i] < 0 ? -1 : rightOffset + part[i]);
    }
  }

  /** Splits the sequences at the anchors, and aligns the elements between them. */
  private void cut(long[] left, int leftOffset, long[] right, int rightOffset, int cutsLeft) {
    List<int[]> anchors = cutsLeft == 0 ? List.of() : Anchors.of(left, right);
    if (anchors.isEmpty()) {
      set(nextEqual(left, right), leftOffset, rightOffset);
      return;
    }
    int nextLeft = 0;
    int nextRight = 0;
    for (int[] anchor : anchors) {
      align(
          Arrays.copyOfRange(left, nextLeft, anchor[0]),
          leftOffset + nextLeft,
          Arrays.copyOfRange(right, nextRight, anchor[1]),
          rightOffset + nextRight,
          cutsLeft - 1);
      set(leftOffset + anchor[0], rightOffset + anchor[1]);
      nextLeft = anchor[0] + 1;
      nextRight = anchor[1] + 1;
    }
    align(
        Arrays.copyOfRange(left, nextLeft, left.length),
        leftOffset + nextLeft,
        Arrays.copyOfRange(right, nextRight, right.length),
        rightOffset + nextRight,
        cutsLeft - 1);
  }

  /**
   * Returns the furthest reaching points after 0, 1, 2... differences, until both ends are reached;
   * null when that takes more than {@link #MAX_DIFFERENCES}.
   */
  private static @Nullable List<int[]> trace(long[] left, long[] right) {
    List<int[]> trace = new ArrayList<>();
    int[] before = {0};
    for (int d = 0; d <= Math.min(MAX_DIFFERENCES, left.length + right.length); d++) {
      int[] reached = new int[2 * d + 1];
      for (int k = -d; k <= d; k += 2) {
        int x = d == 0 ? 0 : start(before, d, k);
        int y = x - k;
        while (x < left.length && y < right.length && x >= 0 && y >= 0 && left[x] == right[y]) {
          x++;
          y++;
        }
        reached[k + d] = x;
        if (x >= left.length && y >= right.length) {
          trace.add(reached);
          return trace;
        }
      }
      trace.add(reached);
      before = reached;
    }
    return null;
  }

  /** The x at which diagonal k begins after d differences, from the points after d - 1. */
  private static int start(int[] before, int d, int k) {
    return isDown(before, d, k) ? at(before, d - 1, k + 1) : at(before, d - 1, k - 1) + 1;
  }

  /** Whether the last difference on the path to diagonal k is an element of right only. */
  private static boolean isDown(int[] before, int d, int k) {
    return k == -d || (k != d && at(before, d - 1, k - 1) < at(before, d - 1, k + 1));
  }

  private static int at(int[] reached, int d, int k) {
    return reached[k + d];
  }

  private static int[] follow(List<int[]> trace, long[] left, long[] right) {
    int[] aligned = new int[left.length];
    Arrays.fill(aligned, -1);
    int x = left.length;
    int y = right.length;
    for (int d = trace.size() - 1; d >= 0; d--) {
      int k = x - y;
      int begin = d == 0 ? 0 : start(trace.get(d - 1), d, k);
      while (x > begin && y > begin - k) {
        aligned[--x] = --y;
      }
      if (d > 0 && isDown(trace.get(d - 1), d, k)) {
        y--;
      } else if (d > 0) {
        x--;
      }
    }
    return aligned;
  }

  private static int[] nextEqual(long[] left, long[] right) {
    Map<Long, Deque<Integer>> positions = new HashMap<>();
    Deque<Integer> none = new ArrayDeque<>(1);
    for (int j = 0; j < right.length; j++) {
      positions.computeIfAbsent(right[j], key -> new ArrayDeque<>(1)).add(j);
    }
    int[] aligned = new int[left.length];
    int next = 0;
    for (int i = 0; i < left.length; i++) {
      Deque<Integer> candidates = positions.getOrDefault(left[i], none);
      while (!candidates.isEmpty() && candidates.element() < next) {
        candidates.remove();
      }
      // a distant one would leave no elements to align those before it with
      boolean near = !candidates.isEmpty() && candidates.element() < Math.max(next, i) + NEAR;
      aligned[i] = near ? candidates.remove() : -1;
      next = Math.max(next, aligned[i] + 1);
    }
    return aligned;
  }
}
