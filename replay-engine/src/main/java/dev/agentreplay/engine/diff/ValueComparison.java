package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.ValueChange.Places;
import dev.agentreplay.engine.diff.ValueChange.Replacement;
import dev.agentreplay.engine.diff.ValueChange.Rewritten;
import dev.agentreplay.engine.diff.pattern.TextScope;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.engine.diff.value.CloseRules;
import dev.agentreplay.engine.diff.value.ComparedValue;
import dev.agentreplay.engine.diff.value.ElementAlignment;
import dev.agentreplay.engine.diff.value.ElementPair;
import dev.agentreplay.engine.diff.value.IndexComparison;
import dev.agentreplay.engine.diff.value.PatchSize;
import dev.agentreplay.engine.diff.value.UnorderedElements;
import dev.agentreplay.engine.diff.value.ValueDigests;
import dev.agentreplay.engine.diff.value.ValueNormalizer;
import dev.agentreplay.engine.diff.value.ValuePath;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the places where two views differ. An instance is for one comparison. */
final class ValueComparison {

  /** The most places that are reported inside a value that is reported as a whole. */
  private static final int MAX_PLACES = 20;

  /** A place that differs; for a value that is reported as a whole, with the places inside it. */
  private record Found(
      DivergenceKind kind,
      TextScope scope,
      ValuePath left,
      ValuePath right,
      ValuePath place,
      Sides<ComparedValue> values,
      @Nullable Closeness closeness,
      @Nullable Places places) {}

  private final Step step;
  private final ValueDigests digests;
  private final ValueNormalizer normalizer;
  private final CloseRules close;
  private final IndexComparison byIndex;
  private final int maxElements;
  private final boolean isDetailed;
  private final boolean isIdentified;
  private int wholeArrays;

  /**
   * Whether the comparison only searches for a difference: rules are not counted, and comparators
   * are not called.
   */
  private boolean isProbing;

  private final PatchSize size = new PatchSize();
  private final List<Found> found = new ArrayList<>();
  private DivergenceKind kind = DivergenceKind.OTHER;
  private TextScope scope = TextScope.ALL;

  /**
   * Creates a comparison of two views.
   *
   * @param isDetailed whether to report the replaced parts of texts that differ
   * @param isIdentified whether to state the new values for fingerprints
   */
  ValueComparison(
      Step step,
      ValueDigests digests,
      ValueNormalizer normalizer,
      CloseRules close,
      int maxElements,
      boolean isDetailed,
      boolean isIdentified) {
    this.step = step;
    this.digests = digests;
    this.normalizer = normalizer;
    this.close = close;
    this.byIndex = new IndexComparison(digests, normalizer, close, maxElements);
    this.maxElements = maxElements;
    this.isDetailed = isDetailed;
    this.isIdentified = isIdentified;
  }

  /** The number of pairs of arrays that were too long to be compared element by element. */
  int wholeArrays() {
    return wholeArrays;
  }

  /** Returns the differences between two views. */
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
      ValuePath path = ValuePath.ROOT.member(name);
      either(left.member(name), path, right.member(name), path);
    }
    return found.stream().map(this::change).toList();
  }

  private ValueChange change(Found place) {
    return new Results.ValueChangeData(
        place.kind,
        place.left.toString(),
        place.right.toString(),
        place.values.map(value -> value.original),
        place.closeness,
        place.places != null ? place.places : rewritten(place),
        isIdentified ? identified(place) : null);
  }

  /** The place in the left event, with the hash of the right value as the rules leave it. */
  private Results.Place identified(Found found) {
    ComparedValue after = found.values.right();
    return new Results.Place(
        found.place.toString(),
        after == null ? null : CanonicalJson.SERDE.hash(after.normal(digests)));
  }

  /** The parts that rules replaced in two texts that differ; null when there are none to report. */
  private @Nullable Rewritten rewritten(Found place) {
    if (!isDetailed || !(place.values instanceof Sides.Both<ComparedValue> both)) {
      return null;
    }
    ComparedValue before = both.left();
    ComparedValue after = both.right();
    if (!(before.scalar() instanceof JsonString left)
        || !(after.scalar() instanceof JsonString right)
        || !(before.isRewritten() || after.isRewritten())
        || !(before.original instanceof JsonString && after.original instanceof JsonString)) {
      return null;
    }
    int first = CharBuffer.wrap(left.value()).mismatch(CharBuffer.wrap(right.value()));
    return new Results.RewrittenData(
        replacements(before, place.scope, first), replacements(after, place.scope, first));
  }

  /** The approximate number of bytes of the details of a change, without its values. */
  static long detailBytes(ValueChange change) {
    if (change.detail() instanceof Places places) {
      return places.first().stream().mapToLong(ValueComparison::detailBytes).sum();
    }
    return change.detail() instanceof Rewritten rewritten
        ? Stream.of(rewritten.before(), rewritten.after())
            .flatMap(List::stream)
            .mapToLong(replacement -> 32L + replacement.text().length())
            .sum()
        : 0;
  }

  private List<Replacement> replacements(ComparedValue text, TextScope textScope, int first) {
    return normalizer.replacements(text, textScope, first).stream()
        .map(part -> new Replacement(part.start(), part.end(), part.text()))
        .toList();
  }

  private void either(
      @Nullable ComparedValue left,
      ValuePath leftPath,
      @Nullable ComparedValue right,
      ValuePath rightPath)
      throws IOException {
    if (left != null && right != null) {
      both(left, leftPath, right, rightPath);
    } else if (left != null || right != null) {
      add(left, leftPath, right, rightPath, null, null);
    }
  }

  private void both(
      ComparedValue left, ValuePath leftPath, ComparedValue right, ValuePath rightPath)
      throws IOException {
    if (left.isParsed() || right.isParsed()) {
      texts(left, leftPath, right, rightPath);
      return;
    }
    int before = found.size();
    long sizeBefore = size.get();
    if (left.isObject() && right.isObject()) {
      members(left, leftPath, right, rightPath);
    } else if (left.isArray() && right.isArray()) {
      elements(left, leftPath, right, rightPath);
    } else if (!left.isScalar() || !right.isScalar()) {
      add(left, leftPath, right, rightPath, null, null);
    } else if (!digests.same(left.scalar(), right.scalar())) {
      scalars(left, leftPath, right, rightPath);
    }
    if (found.size() > before + 1 && size.isTooLarge(sizeBefore, left, right)) {
      List<Found> below = found.subList(before, found.size());
      Closeness closeness = ofAll(below);
      Places places = new Results.PlacesData(first(below), count(below));
      below.clear();
      size.reset(sizeBefore);
      add(left, leftPath, right, rightPath, closeness, places);
    }
  }

  /**
   * Compares the values that two texts hold, if a rule selects something in one of them; the texts
   * themselves if not both hold an object, or both an array.
   */
  private void texts(
      ComparedValue left, ValuePath leftPath, ComparedValue right, ValuePath rightPath)
      throws IOException {
    ComparedValue before = normalizer.inside(left);
    ComparedValue after = normalizer.inside(right);
    if (before != null && after != null && before.isObject() == after.isObject()) {
      both(before, leftPath, after, rightPath);
    } else {
      both(normalizer.asText(left), leftPath, normalizer.asText(right), rightPath);
    }
  }

  /** The first of many places; for a value that is reported as a whole, the places inside it. */
  private List<ValueChange> first(List<Found> below) {
    List<ValueChange> first = new ArrayList<>();
    for (int i = 0; i < below.size() && first.size() < MAX_PLACES; i++) {
      Places inner = below.get(i).places;
      List<ValueChange> next =
          inner == null || inner.first().isEmpty() ? List.of(change(below.get(i))) : inner.first();
      first.addAll(next.subList(0, Math.min(next.size(), MAX_PLACES - first.size())));
    }
    return first;
  }

  /**
   * The number of places, including those inside values that are reported as a whole; null when it
   * is not known.
   */
  private static @Nullable Integer count(List<Found> below) {
    int count = 0;
    for (Found place : below) {
      Integer inner = place.places == null ? Integer.valueOf(1) : place.places.count();
      if (inner == null) {
        return null;
      }
      count += inner;
    }
    return count;
  }

  /**
   * The reason why a whole value is close: all its differences are, and the lowest similarity
   * counts. Null when one of them is not close.
   */
  private static @Nullable Closeness ofAll(List<Found> changes) {
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
    return new Closeness(String.join(" and ", rules), lowest, null);
  }

  private void scalars(
      ComparedValue left, ValuePath leftPath, ComparedValue right, ValuePath rightPath)
      throws IOException {
    if (close.isWithinTolerance(left, right, !isProbing)) {
      return;
    }
    Closeness closeness = scope == TextScope.ALL && !isProbing
        ? close.judge(step.name(), leftPath, left, right)
        : null;
    add(left, leftPath, right, rightPath, closeness, null);
  }

  private void members(
      ComparedValue left, ValuePath leftPath, ComparedValue right, ValuePath rightPath)
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

  private void elements(
      ComparedValue left, ValuePath leftPath, ComparedValue right, ValuePath rightPath)
      throws IOException {
    boolean isOrdered = left.unordered == null || right.unordered == null;
    if (isOrdered && byIndex.areEqual(left, right, !isProbing)) {
      return;
    }
    List<ElementPair> pairs = isOrdered
        ? ElementAlignment.of(left, right, digests, maxElements)
        : new UnorderedElements(Objects.requireNonNull(left.unordered), digests, normalizer)
            .pair(left, right, maxElements);
    if (pairs == null) {
      wholeArrays += isProbing ? 0 : 1;
      wholeArrays(left, leftPath, right, rightPath, isOrdered);
      return;
    }
    for (ElementPair pair : pairs) {
      element(pair.left(), leftPath, pair.right(), rightPath, isOrdered);
    }
  }

  /**
   * Reports arrays as a whole that are too long; ordered arrays with the first elements that
   * differ.
   */
  private void wholeArrays(
      ComparedValue left,
      ValuePath leftPath,
      ComparedValue right,
      ValuePath rightPath,
      boolean isOrdered)
      throws IOException {
    int foundBefore = found.size();
    long sizeBefore = size.get();
    boolean wasProbing = isProbing;
    isProbing = true;
    int longer = isOrdered ? Math.max(left.children.length, right.children.length) : 0;
    for (int i = 0; i < longer && found.size() == foundBefore; i++) {
      ComparedValue before = i < left.children.length ? left.children[i] : null;
      ComparedValue after = i < right.children.length ? right.children[i] : null;
      if (before == null
          || after == null
          || !Arrays.equals(before.digest(digests), after.digest(digests))) {
        element(before, leftPath, after, rightPath, isOrdered);
      }
    }
    isProbing = wasProbing;
    List<Found> below = found.subList(foundBefore, found.size());
    Places places = new Results.PlacesData(first(below), null);
    below.clear();
    size.reset(sizeBefore);
    add(left, leftPath, right, rightPath, null, places);
  }

  /** Compares an element, which may have a different index in each array. */
  private void element(
      @Nullable ComparedValue left,
      ValuePath leftPath,
      @Nullable ComparedValue right,
      ValuePath rightPath,
      boolean isOrdered)
      throws IOException {
    either(
        left,
        left == null
            ? leftPath.member(isOrdered && right != null ? "+" + right.index : "-")
            : leftPath.element(left.index),
        right,
        right == null ? ValuePath.ROOT : rightPath.element(right.index));
  }

  private void add(
      @Nullable ComparedValue left,
      ValuePath leftPath,
      @Nullable ComparedValue right,
      ValuePath rightPath,
      @Nullable Closeness closeness,
      @Nullable Places places) {
    Found change = new Found(
        kind,
        scope,
        left == null ? rightPath : leftPath,
        right == null ? leftPath : rightPath,
        leftPath,
        Sides.of(left, right),
        closeness,
        places);
    found.add(change);
    size.add(change.left);
  }
}
