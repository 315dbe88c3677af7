package dev.agentreplay.engine.diff;

import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the places where two values differ. Made for one comparison. */
final class ValueComparison {

  /** A place that differs; what is null is not there. */
  private record Found(
      DivergenceKind kind,
      Path left,
      Path right,
      @Nullable ComparedValue before,
      @Nullable ComparedValue after,
      ValueChange.@Nullable Closeness closeness) {

    ValueChange change() {
      return new ValueChange(
          kind, left.toString(), right.toString(), original(before), original(after), closeness);
    }

    private static @Nullable JsonValue original(@Nullable ComparedValue value) {
      return value == null ? null : value.original;
    }
  }

  private final Step step;
  private final ValueDigests digests;
  private final CloseRules close;
  private final IndexComparison byIndex;
  private final int maxElements;
  private int wholeArrays;
  private final PatchSize size = new PatchSize();
  private final List<Found> found = new ArrayList<>();
  private DivergenceKind kind = DivergenceKind.OTHER;
  private TextScope scope = TextScope.ALL;

  ValueComparison(Step step, ValueDigests digests, CloseRules close, int maxElements) {
    this.step = step;
    this.digests = digests;
    this.close = close;
    this.byIndex = new IndexComparison(digests, close, maxElements);
    this.maxElements = maxElements;
  }

  /** How many pairs of arrays were too long to be compared but as a whole. */
  int wholeArrays() {
    return wholeArrays;
  }

  /** Where two views differ. */
  List<ValueChange> compare(
      ComparedValue left, ComparedValue right, Function<String, DivergenceKind> kinds)
      throws IOException {
    TreeSet<String> names = new TreeSet<>(Comparator.<String, DivergenceKind>comparing(kinds)
        .thenComparing(Comparator.naturalOrder()));
    byIndex.begin(left, right);
    names.addAll(left.original.asObject().names());
    names.addAll(right.original.asObject().names());
    for (String name : names) {
      kind = kinds.apply(name);
      scope = TextScope.of(name);
      Path path = Path.ROOT.member(name);
      either(left.member(name), path, right.member(name), path);
    }
    return found.stream().map(Found::change).toList();
  }

  private void either(
      @Nullable ComparedValue left, Path leftPath, @Nullable ComparedValue right, Path rightPath)
      throws IOException {
    if (left != null && right != null) {
      both(left, leftPath, right, rightPath);
    } else if (left != null || right != null) {
      add(left, leftPath, right, rightPath, null);
    }
  }

  private void both(ComparedValue left, Path leftPath, ComparedValue right, Path rightPath)
      throws IOException {
    int before = found.size();
    long sizeBefore = size.get();
    if (left.isObject() && right.isObject()) {
      members(left, leftPath, right, rightPath);
    } else if (left.isArray() && right.isArray()) {
      elements(left, leftPath, right, rightPath);
    } else if (!left.isScalar() || !right.isScalar()) {
      add(left, leftPath, right, rightPath, null);
    } else if (!digests.same(left.scalar(), right.scalar())) {
      scalars(left, leftPath, right, rightPath);
    }
    if (found.size() > before + 1 && size.isTooLarge(sizeBefore, left, right)) {
      List<Found> below = found.subList(before, found.size());
      ValueChange.Closeness closeness = ofAll(below);
      below.clear();
      size.reset(sizeBefore);
      add(left, leftPath, right, rightPath, closeness);
    }
  }

  /** Why a value is close when all that differs in it is: by what is least alike. */
  private static ValueChange.@Nullable Closeness ofAll(List<Found> changes) {
    TreeSet<String> rules = new TreeSet<>();
    Double lowest = null;
    for (Found change : changes) {
      if (change.closeness == null) {
        return null;
      }
      rules.add(change.closeness.rule());
      Double similarity = change.closeness.similarity();
      if (similarity != null && (lowest == null || similarity < lowest)) {
        lowest = similarity;
      }
    }
    return new ValueChange.Closeness(String.join(" and ", rules), lowest, null);
  }

  private void scalars(ComparedValue left, Path leftPath, ComparedValue right, Path rightPath)
      throws IOException {
    if (close.isWithinTolerance(left, right, true)) {
      return;
    }
    ValueChange.Closeness closeness =
        scope == TextScope.ALL ? close.judge(kind, step, leftPath, left, right) : null;
    add(left, leftPath, right, rightPath, closeness);
  }

  private void members(ComparedValue left, Path leftPath, ComparedValue right, Path rightPath)
      throws IOException {
    int l = 0;
    int r = 0;
    while (l < left.children.length || r < right.children.length) {
      ComparedValue before = l < left.children.length ? left.children[l] : null;
      ComparedValue after = r < right.children.length ? right.children[r] : null;
      int order = before == null || after == null
          ? (before == null ? 1 : -1)
          : before.name.compareTo(after.name);
      ComparedValue from = order <= 0 ? before : null;
      ComparedValue to = order >= 0 ? after : null;
      String name = Objects.requireNonNull(from != null ? from : to).name;
      either(from, leftPath.member(name), to, rightPath.member(name));
      l += order <= 0 ? 1 : 0;
      r += order >= 0 ? 1 : 0;
    }
  }

  private void elements(ComparedValue left, Path leftPath, ComparedValue right, Path rightPath)
      throws IOException {
    boolean isOrdered = left.unordered == null || right.unordered == null;
    if (isOrdered && byIndex.areEqual(left, right)) {
      return;
    }
    List<ElementPair> pairs = isOrdered
        ? ElementAlignment.of(left, right, digests, maxElements)
        : new UnorderedElements(Objects.requireNonNull(left.unordered), digests)
            .pair(left, right, maxElements);
    if (pairs == null) {
      wholeArrays++;
      add(left, leftPath, right, rightPath, null);
      return;
    }
    for (ElementPair pair : pairs) {
      element(pair.left(), leftPath, pair.right(), rightPath);
    }
  }

  /** An element, which has another place in either array. */
  private void element(
      @Nullable ComparedValue left, Path leftPath, @Nullable ComparedValue right, Path rightPath)
      throws IOException {
    either(
        left,
        left == null ? Path.ROOT : leftPath.element(left.index),
        right,
        right == null ? Path.ROOT : rightPath.element(right.index));
  }

  private void add(
      @Nullable ComparedValue left,
      Path leftPath,
      @Nullable ComparedValue right,
      Path rightPath,
      ValueChange.@Nullable Closeness closeness) {
    Found change = new Found(
        kind,
        left == null ? rightPath : leftPath,
        right == null ? leftPath : rightPath,
        left,
        right,
        closeness);
    found.add(change);
    size.add(change.left);
  }
}
