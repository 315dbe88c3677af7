package dev.agentreplay.engine.report;

import dev.agentreplay.model.internal.Alignment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Aligns lists on equal elements. */
final class ElementAlignment {

  private ElementAlignment() {}

  /**
   * A part of both lists.
   *
   * @param equal whether the parts are equal; else no element of one is in the other's part
   * @param left the part of the left list
   * @param right the part of the right list
   */
  record Run<T>(boolean equal, List<T> left, List<T> right) {}

  /**
   * The parts of two lists in order, equal ones and others in turn.
   *
   * @param key gives what is equal of equal elements
   */
  static <T> List<Run<T>> runs(List<T> left, List<T> right, Function<T, ?> key) {
    int[] aligned =
        align(left.stream().map(key).toList(), right.stream().map(key).toList());
    List<Run<T>> runs = new ArrayList<>();
    int l = 0;
    int r = 0;
    while (l < left.size() || r < right.size()) {
      int same = l;
      while (same < left.size() && aligned[same] == r + same - l) {
        same++;
      }
      if (same > l) {
        runs.add(new Run<>(true, left.subList(l, same), right.subList(r, r + same - l)));
      }
      r += same - l;
      l = same;
      while (same < left.size() && aligned[same] < 0) {
        same++;
      }
      int end = same < left.size() ? aligned[same] : right.size();
      if (same > l || end > r) {
        runs.add(new Run<>(false, left.subList(l, same), right.subList(r, end)));
      }
      l = same;
      r = end;
    }
    return runs;
  }

  /** For every element of {@code left} the index of its equal in {@code right}, or -1. */
  private static int[] align(List<?> left, List<?> right) {
    Map<Object, Long> numbers = new HashMap<>();
    long[] leftNumbers = numbers(left, numbers);
    long[] rightNumbers = numbers(right, numbers);
    int first = Arrays.mismatch(leftNumbers, rightNumbers);
    // of several alignments that are as long the same one is taken whichever list is the left one
    if (first < 0
        || first >= Math.min(leftNumbers.length, rightNumbers.length)
        || left.get(first).toString().compareTo(right.get(first).toString()) <= 0) {
      return Alignment.of(leftNumbers, rightNumbers);
    }
    return Alignment.ofMirrored(leftNumbers, rightNumbers);
  }

  private static long[] numbers(List<?> elements, Map<Object, Long> numbers) {
    return elements.stream()
        .mapToLong(element -> numbers.computeIfAbsent(element, e -> (long) numbers.size()))
        .toArray();
  }
}
