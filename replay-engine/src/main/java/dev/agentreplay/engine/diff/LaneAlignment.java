package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.StepAlignment.Pair;
import dev.agentreplay.engine.lines.PublishedPair;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Aligns the steps of two sessions within their lanes, the steps of one agent each. A lane is
 * aligned with that of the same agent by {@link StepAlignment}; the steps of an agent that only one
 * session has are missing or added. Thus the interleaving of agents that work in parallel is not
 * significant. Two sessions with one lane each are aligned as a whole, whatever their agents are.
 */
final class LaneAlignment {

  /** The form in which the sessions show the ids of agents. */
  enum Agents {
    /** As they were recorded. */
    STATED,
    /** Replaced by others: the agents are paired in the order of their first steps. */
    REPLACED,
    /** Not always: the steps are aligned as if they were of one agent. */
    WITHHELD;

    static Agents of(@Nullable PublishedPair published) {
      if (published == null) {
        return STATED;
      }
      return published.areAgentsWithheld()
          ? WITHHELD
          : published.areAgentsReplaced() ? REPLACED : STATED;
    }
  }

  /**
   * The steps of one agent, as indices into the sessions.
   *
   * @param left the steps of the left session
   * @param right the steps of the right session
   */
  private record Lane(List<Integer> left, List<Integer> right) {}

  /**
   * A pair with its place in the report.
   *
   * @param after the index of the left step that it is or that it follows; -1 at the beginning
   */
  private record Placed(Pair pair, int after) {

    boolean isAdded() {
      return pair.left() < 0;
    }
  }

  /** Left steps in order, each followed by the added steps, in the order of the right session. */
  private static final Comparator<Placed> IN_ORDER = Comparator.comparingInt(Placed::after)
      .thenComparing(Placed::isAdded)
      .thenComparingInt(placed -> placed.isAdded() ? placed.pair().right() : 0);

  private final List<IndexedStep> left;
  private final List<IndexedStep> right;
  private final @Nullable KnownPartners partners;
  private final Map<@Nullable String, Lane> lanes = new LinkedHashMap<>();
  private final boolean areSeveral;

  /**
   * The lane of the left session that a lane with another agent in the right one corresponds to.
   */
  private final Map<@Nullable String, @Nullable String> renamed = new HashMap<>();

  private LaneAlignment(
      List<IndexedStep> left,
      List<IndexedStep> right,
      @Nullable KnownPartners partners,
      Agents shown) {
    this.left = left;
    this.right = right;
    this.partners = partners;
    Set<@Nullable String> lefts = agents(left);
    Set<@Nullable String> rights = agents(right);
    boolean areSeveralAgents = lefts.size() > 1 || rights.size() > 1;
    Set<@Nullable String> common = new LinkedHashSet<>(lefts);
    common.retainAll(rights);
    lefts.removeAll(common);
    rights.removeAll(common);
    boolean arePairs = lefts.size() == rights.size() && shown != Agents.WITHHELD;
    this.areSeveral = areSeveralAgents && (arePairs || shown == Agents.STATED);
    if (arePairs && (lefts.size() == 1 || shown == Agents.REPLACED)) {
      Iterator<@Nullable String> next = lefts.iterator();
      rights.forEach(agent -> renamed.put(agent, next.next()));
    }
    for (int i = 0; i < left.size(); i++) {
      lane(left.get(i).step().agent()).left.add(i);
    }
    for (int i = 0; i < right.size(); i++) {
      lane(laneOfRight(right.get(i))).right.add(i);
    }
  }

  /** The agents that call tools or models; null stands for events without an agent. */
  private static Set<@Nullable String> agents(List<IndexedStep> steps) {
    Set<@Nullable String> agents = new LinkedHashSet<>();
    for (IndexedStep step : steps) {
      StepKind kind = step.step().kind();
      if (kind == StepKind.CALL || kind == StepKind.TURN) {
        agents.add(step.step().agent());
      }
    }
    return agents;
  }

  private Lane lane(@Nullable String agent) {
    return lanes.computeIfAbsent(agent, key -> new Lane(new ArrayList<>(), new ArrayList<>()));
  }

  private @Nullable String laneOfRight(IndexedStep step) {
    String agent = step.step().agent();
    return renamed.getOrDefault(agent, agent);
  }

  /**
   * The lane of a step: its agent, in the left session if that has the lane; null if there is only
   * one lane.
   */
  @Nullable
  String lane(Sides<IndexedStep> steps) {
    if (!areSeveral) {
      return null;
    }
    return steps.left() != null ? steps.left().step().agent() : laneOfRight(steps.any());
  }

  static LaneAlignment of(
      List<IndexedStep> left,
      List<IndexedStep> right,
      @Nullable KnownPartners partners,
      Agents shown) {
    return new LaneAlignment(left, right, partners, shown);
  }

  /** Whether a session has more than one lane. */
  boolean areSeveral() {
    return areSeveral;
  }

  /**
   * Returns the pairs in the order of the left session. An added step follows the partner of the
   * nearest step before it in the right session, and the steps before it in its lane.
   */
  List<Pair> align() {
    if (!areSeveral) {
      return StepAlignment.of(left, right, partners);
    }
    List<List<Pair>> aligned = new ArrayList<>();
    Map<Integer, Integer> leftOfRight = new HashMap<>();
    for (Lane lane : lanes.values()) {
      List<Pair> pairs = align(lane);
      aligned.add(pairs);
      for (Pair pair : pairs) {
        if (pair.left() >= 0 && pair.right() >= 0) {
          leftOfRight.put(pair.right(), pair.left());
        }
      }
    }
    int[] anchors = anchors(leftOfRight);
    List<Placed> placed = new ArrayList<>(left.size() + right.size());
    aligned.forEach(pairs -> place(pairs, anchors, placed));
    placed.sort(IN_ORDER);
    return placed.stream().map(Placed::pair).toList();
  }

  private List<Pair> align(Lane lane) {
    List<IndexedStep> lefts = lane.left.stream().map(left::get).toList();
    List<IndexedStep> rights = lane.right.stream().map(right::get).toList();
    return StepAlignment.of(lefts, rights, partners).stream()
        .map(pair -> new Pair(
            pair.relation(),
            pair.left() < 0 ? -1 : lane.left.get(pair.left()),
            pair.right() < 0 ? -1 : lane.right.get(pair.right())))
        .toList();
  }

  /** For each right step, the greatest left partner of the steps up to it; -1 if there is none. */
  private int[] anchors(Map<Integer, Integer> leftOfRight) {
    int[] anchors = new int[right.size()];
    int anchor = -1;
    for (int i = 0; i < anchors.length; i++) {
      anchor = Math.max(anchor, leftOfRight.getOrDefault(i, -1));
      anchors[i] = anchor;
    }
    return anchors;
  }

  /** Places the pairs of a lane, whose left steps are in order, so that they stay in order. */
  private static void place(List<Pair> pairs, int[] anchors, List<Placed> placed) {
    int before = -1;
    int[] next = new int[pairs.size()];
    int following = Integer.MAX_VALUE;
    for (int i = pairs.size() - 1; i >= 0; i--) {
      next[i] = following;
      following = pairs.get(i).left() < 0 ? following : pairs.get(i).left();
    }
    for (int i = 0; i < next.length; i++) {
      Pair pair = pairs.get(i);
      before = pair.left() >= 0
          ? pair.left()
          : Math.max(before, Math.min(anchors[pair.right()], next[i] - 1));
      placed.add(new Placed(pair, before));
    }
  }
}
