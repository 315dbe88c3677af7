package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.StepAlignment.Pair;
import dev.agentreplay.engine.fingerprint.ChangedPlace;
import dev.agentreplay.engine.fingerprint.Fingerprint;
import dev.agentreplay.engine.fingerprint.StepIdentity;
import dev.agentreplay.model.ContentHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of the divergences of one comparison, and which of them are accepted. A step is
 * identified by what it requests and by its occurrence, not by a number, so that the fingerprint of
 * a difference does not depend on the differences before it.
 */
final class Acceptances {

  /** The rule of the rating of an accepted divergence. */
  static final String RULE = "accepted";

  private static final int NONE = -1;

  private final List<IndexedStep> left;
  private final List<IndexedStep> right;
  private final Set<ContentHash> accepted;
  private final Set<ContentHash> used = new HashSet<>();

  /** Added steps with the same identity and the same step before them, by their number so far. */
  private final Map<StepIdentity, Map<Integer, Integer>> added = new HashMap<>();

  private int @Nullable [] occurrences;
  private int @Nullable [] anchors;
  private List<Pair> pairs = List.of();

  Acceptances(List<IndexedStep> left, List<IndexedStep> right, Set<ContentHash> accepted) {
    this.left = left;
    this.right = right;
    this.accepted = accepted;
  }

  /** Sets the pairs of all steps, before the first fingerprint. */
  void align(List<Pair> all) {
    pairs = all;
  }

  /** Whether divergences that are not listed need fingerprints. */
  boolean isNeeded() {
    return !accepted.isEmpty();
  }

  /** The fingerprints of the accepted divergences so far. */
  Set<ContentHash> used() {
    return used;
  }

  /** The accepted fingerprints that no divergence has so far. */
  Set<ContentHash> unused() {
    Set<ContentHash> rest = new HashSet<>(accepted);
    rest.removeAll(used);
    return rest;
  }

  /** Whether a divergence that matters is accepted; if so, it is counted. */
  boolean accepts(ContentHash fingerprint) {
    return accepted.contains(fingerprint) && used.add(fingerprint);
  }

  /**
   * Returns the fingerprint of a divergence.
   *
   * @param size the number of steps of a moved block, otherwise 1
   */
  ContentHash fingerprint(DivergenceKind kind, Pair pair, int size, List<EventChange> changes) {
    boolean isAdded = pair.left() < 0;
    int after =
        isAdded || kind == DivergenceKind.MOVED ? anchors()[Math.max(pair.right(), 0)] : NONE;
    StepIdentity step = isAdded ? added(pair.right(), after) : identity(pair.left());
    List<ChangedPlace> places = new ArrayList<>();
    for (EventChange change : isAdded || pair.right() < 0 ? List.<EventChange>of() : changes) {
      boolean isInResult = isInResult(change, pair);
      for (ValueChange value : change.values()) {
        if (value.kind() != DivergenceKind.WITHHELD) {
          places.add(place(value, isInResult, right.get(pair.right())));
        }
      }
    }
    return Fingerprint.of(
        kind.id(),
        step,
        after == NONE ? null : identity(after),
        size,
        places,
        isAdded ? right.get(pair.right()).step().fingerprint() : null);
  }

  /** A place that differs. A result that only the right step has counts as a whole. */
  private static ChangedPlace place(ValueChange value, boolean isInResult, IndexedStep step) {
    Results.Place place = ((Results.ValueChangeData) value).place();
    return place == null
        ? new ChangedPlace(
            isInResult,
            value.pointer(),
            value.after() == null ? null : step.step().fingerprint())
        : new ChangedPlace(isInResult, place.pointer(), place.value());
  }

  /** Whether the event that differs is the result of a step, not its call. */
  private boolean isInResult(EventChange change, Pair pair) {
    EventChange.Event before = change.sides().left();
    Long line = before == null ? change.sides().any().line() : before.line();
    IndexedStep step = before == null ? right.get(pair.right()) : left.get(pair.left());
    return line.equals(step.step().resultLine());
  }

  private StepIdentity identity(int index) {
    return identity(left.get(index), occurrences()[index]);
  }

  private static StepIdentity identity(IndexedStep indexed, int occurrence) {
    Step step = indexed.step();
    return new StepIdentity(
        step.kind().id(), step.name(), step.agent(), indexed.request(), occurrence);
  }

  private StepIdentity added(int index, int after) {
    StepIdentity same = identity(right.get(index), 0);
    int occurrence =
        added.computeIfAbsent(same, first -> new HashMap<>()).merge(after, 1, Integer::sum) - 1;
    return identity(right.get(index), occurrence);
  }

  /** The number of each left step among those with the same identity. */
  private int[] occurrences() {
    int[] known = occurrences;
    if (known == null) {
      known = new int[left.size()];
      Map<StepIdentity, Integer> counts = new HashMap<>();
      for (int i = 0; i < known.length; i++) {
        known[i] = counts.merge(identity(left.get(i), 0), 1, Integer::sum) - 1;
      }
      occurrences = known;
    }
    return known;
  }

  /** The left partner, not moved, of the last step before each right step in its lane; or NONE. */
  private int[] anchors() {
    int[] known = anchors;
    if (known == null) {
      int[] partners = new int[right.size()];
      Arrays.fill(partners, NONE);
      for (Pair pair : pairs) {
        if (pair.right() >= 0 && pair.relation() != Relation.MOVED) {
          partners[pair.right()] = pair.left() < 0 ? NONE : pair.left();
        }
      }
      known = new int[right.size()];
      Map<@Nullable String, Integer> last = new HashMap<>();
      for (int i = 0; i < known.length; i++) {
        String agent = right.get(i).step().agent();
        known[i] = Objects.requireNonNullElse(last.get(agent), NONE);
        if (partners[i] != NONE) {
          last.put(agent, partners[i]);
        }
      }
      anchors = known;
    }
    return known;
  }
}
