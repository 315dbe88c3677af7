package dev.agentreplay.lint;

import dev.agentreplay.lint.Traversal.Visit;
import dev.agentreplay.lint.code.CallSite;
import dev.agentreplay.lint.code.ClassCode;
import dev.agentreplay.lint.code.CodeStore;
import dev.agentreplay.lint.code.Hierarchy.Resolved;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.Verdicts.Verdict;
import dev.agentreplay.lint.pattern.Category;
import dev.agentreplay.lint.pattern.Suppression;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The calls that were found, each with the shortest way to it on which it is not suppressed. */
final class FoundCalls {

  private static final String ORDER_REMEDY =
      "a sorted copy, or List.of, LinkedHashSet or LinkedHashMap";

  private final CodeStore code;
  private final Allowances allowances;
  private final SortedMap<Place, DeterminismFinding> active = new TreeMap<>();
  private final SortedMap<Place, SuppressedFinding> suppressed = new TreeMap<>();

  /** A call in a line, by which findings are sorted. */
  private record Place(MethodRef method, int line, Category category, String api)
      implements Comparable<Place> {

    private static final Comparator<Place> ORDER = Comparator.<Place, String>comparing(
            place -> place.method.owner())
        .thenComparing(place -> place.line)
        .thenComparing(place -> place.method)
        .thenComparing(place -> place.category)
        .thenComparing(place -> place.api);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  FoundCalls(CodeStore code, Allowances allowances) {
    this.code = code;
    this.allowances = allowances;
  }

  List<DeterminismFinding> active() {
    return List.copyOf(active.values());
  }

  /** The findings that are suppressed on each way to them. */
  List<SuppressedFinding> suppressed() {
    suppressed.keySet().removeAll(active.keySet());
    return List.copyOf(suppressed.values());
  }

  void add(Verdict verdict, int line, Visit visit) {
    Category category = Objects.requireNonNull(verdict.rule().category(), "category");
    add(category, verdict.api(), "", verdict.rule().remedy(), line, visit);
  }

  void addUnordered(String source, CallSite call, int line, Visit visit) {
    add(Category.ORDER, call.method(), source, ORDER_REMEDY, line, visit);
  }

  private void add(
      Category category, MethodRef api, String detail, String remedy, int line, Visit visit) {
    String text = api.text();
    Place place = new Place(visit.method().ref(), line, category, text);
    Suppression suppression = allowances.covering(visit.suppressions(), category, api);
    if (suppression == null ? active.containsKey(place) : suppressed.containsKey(place)) {
      return;
    }
    DeterminismFinding finding =
        new DeterminismFinding(category, text, detail, remedy, path(visit, line));
    if (suppression == null) {
      active.put(place, finding);
    } else {
      suppressed.put(place, new SuppressedFinding(finding, suppression));
    }
  }

  private List<CallStep> path(Visit last, int line) {
    ArrayDeque<CallStep> path = new ArrayDeque<>();
    int next = line;
    for (@Nullable Visit visit = last; visit != null; visit = visit.caller()) {
      Resolved method = visit.method();
      ClassCode source = code.of(method.type());
      path.addFirst(new CallStep(method.ref(), source.sourceFile(), next));
      next = visit.line();
    }
    return List.copyOf(path);
  }
}
