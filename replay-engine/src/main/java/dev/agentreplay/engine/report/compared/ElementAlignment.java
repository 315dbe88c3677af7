package dev.agentreplay.engine.report.compared;

import dev.agentreplay.model.alignment.Alignment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Aligns lists on equal elements. */
public final class ElementAlignment {

  private ElementAlignment() {}

  /**
   * A run of elements of both lists.
   *
   * @param equal whether the two parts are equal; if not, none of their elements are aligned
   * @param left the part of the left list
   * @param right the part of the right list
   */
  public record Run<T>(boolean equal, List<T> left, List<T> right) {}

  /**
   * Divides two lists into runs, in order; equal and different runs alternate.
   *
   * @param key the function that gives the value by which elements are compared
   */
  public static <T> List<Run<T>> runs(List<T> left, List<T> right, Function<T, ?> key) {
    int[] aligned = Alignment.symmetric(
        left, right, key, Comparator.comparing(element -> key.apply(element).toString()));
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
}
