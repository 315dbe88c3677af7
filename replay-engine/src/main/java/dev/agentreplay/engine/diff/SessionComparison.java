package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence.Cause;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.LaneAlignment.Agents;
import dev.agentreplay.engine.diff.SessionDiff.First;
import dev.agentreplay.engine.diff.StepAlignment.Pair;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.engine.lines.PublishedPair;
import dev.agentreplay.io.log.PoolTask;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares two sessions: reads their steps, normalized by the rules, aligns them, compares the
 * pairs that are not equal, and classifies the differences. Both logs are read once for the steps;
 * the events that differ are read again.
 */
final class SessionComparison {

  private static final Set<DivergenceKind> OF_CALLS = EnumSet.of(
      DivergenceKind.MISSING,
      DivergenceKind.ADDED,
      DivergenceKind.MOVED,
      DivergenceKind.TOOL,
      DivergenceKind.PARAMS,
      DivergenceKind.OUTCOME,
      DivergenceKind.OUTPUT);

  private static final SeverityRating ACCEPTED =
      new SeverityRating(DivergenceSeverity.NONE, Acceptances.RULE);

  private final SessionSteps.Read left;
  private final SessionSteps.Read right;
  private final DiffOptions options;
  private final @Nullable PublishedPair published;
  private final LaneAlignment lanes;
  private final DiffTally tally = new DiffTally();
  private final Causes causes;
  private final Acceptances acceptances;
  private final List<AlignedStep> alignment = new ArrayList<>();

  /** The divergences that are listed; all others are only counted. */
  private final List<Draft> drafts = new ArrayList<>();

  /** The approximate number of bytes of the events and details of the listed divergences. */
  private long listedBytes;

  private int divergences;

  /** Pairs with values that a published copy withholds, and no difference that matters. */
  private final List<Draft> withheld = new ArrayList<>();

  private int withheldPairs;
  private long withheldBytes;
  private @Nullable SeverityRating lastRating;
  private @Nullable First first;

  /** The number of calls of the left session in the pairs so far. */
  private int leftCalls;

  /** The first pairs of moved blocks, with the number of their steps. */
  private final Map<Pair, Integer> blocks = new HashMap<>();

  /** A divergence whose cause is not known yet. */
  private record Draft(
      DivergenceKind kind,
      SeverityRating rating,
      Sides<Step> steps,
      int size,
      List<EventChange> changes,
      @Nullable ContentHash fingerprint,
      @Nullable SeverityRating accepted) {}

  private SessionComparison(
      SessionSteps.Read left,
      SessionSteps.Read right,
      DiffOptions options,
      @Nullable PublishedPair published) {
    this.left = left;
    this.right = right;
    this.options = options;
    this.published = published;
    this.lanes =
        LaneAlignment.of(left.steps(), right.steps(), options.partners(), Agents.of(published));
    this.acceptances = new Acceptances(left.steps(), right.steps(), options.accepted());
    this.causes = new Causes(
        new LaneProgress(lanes, left.starts(), right.starts()),
        new LaneResults(left.starts(), right.starts()));
  }

  static SessionDiff compare(Session left, Session right, DiffOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    try {
      return read(left, right, options);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static SessionDiff read(Session left, Session right, DiffOptions options)
      throws IOException {
    CanonicalJson canonical = SessionSteps.canonicalization(left, right);
    CompiledRules rules = CompiledRules.of(options.rules(), canonical, options.limits());
    PublishedPair published = PublishedPair.find(left, right);
    PoolTask<SessionSteps.Read> rightSteps = new PoolTask<>(isAbandoned ->
        SessionSteps.read(right, rules, Side.RIGHT, canonical, options, published, isAbandoned));
    if (rules.isExact() && published == null) {
      rightSteps.offer(); // these rules only count, for each side by itself
    }
    SessionSteps.Read leftSteps;
    try {
      leftSteps =
          SessionSteps.read(left, rules, Side.LEFT, canonical, options, published, () -> false);
    } catch (IOException | RuntimeException | Error e) {
      rightSteps.abandon();
      throw e;
    }
    SessionComparison comparison =
        new SessionComparison(leftSteps, rightSteps.result(), options, published);
    requireRecorded(comparison.left, comparison.right);
    try (PairComparison pairs = new PairComparison(
        comparison.left, comparison.right, rules, canonical, options, published)) {
      comparison.compare(pairs);
    }
    return comparison.diff(rules.applied());
  }

  /** Rejects sessions without recorded behavior: they must not be reported as identical. */
  private static void requireRecorded(SessionSteps.Read left, SessionSteps.Read right)
      throws NothingRecordedException {
    boolean isBlank = left.isBlank() && right.isBlank();
    for (SessionSteps.Read side : List.of(left, right)) {
      if (isBlank || side.summary().events() == 0) {
        throw new NothingRecordedException(side.summary());
      }
    }
  }

  private void compare(PairComparison events) throws IOException {
    List<Pair> pairs = lanes.align();
    acceptances.align(pairs);
    findBlocks(pairs);
    List<Pair> unequal = pairs.stream().filter(this::isToBeCompared).toList();
    Iterator<Pair> next = pairs.iterator();
    events.compare(
        unequal.stream().map(this::steps).toList(),
        (index, changes) -> {
          for (Pair pair = next.next();
              !pair.hasSameSteps(unequal.get(index));
              pair = next.next()) {
            equal(pair);
          }
          differing(unequal.get(index), changes);
        },
        this::isListing);
    next.forEachRemaining(this::equal);
  }

  private boolean isToBeCompared(Pair pair) {
    return !(steps(pair) instanceof Sides.Both<IndexedStep> both)
        || options.strict()
        || published != null
        || pair.relation() == Relation.CHANGED
        || !both.left().equalTo(both.right());
  }

  private Sides<IndexedStep> steps(Pair pair) {
    return Sides.of(
        pair.left() < 0 ? null : left.steps().get(pair.left()),
        pair.right() < 0 ? null : right.steps().get(pair.right()));
  }

  /** Adds a pair of steps with equal contents. */
  private void equal(Pair pair) {
    if (pair.relation() == Relation.MOVED) {
      moved(pair);
    } else {
      matched(pair);
    }
  }

  private void differing(Pair pair, List<EventChange> changes) {
    switch (pair.relation()) {
      case MISSING -> diverged(pair, DivergenceKind.MISSING, changes);
      case ADDED -> diverged(pair, DivergenceKind.ADDED, changes);
      case MOVED -> diverged(pair, DivergenceKind.MOVED, changes);
      case MATCHED, CHANGED -> {
        if (changes.isEmpty()) {
          matched(pair);
        } else {
          diverged(pair, changes.get(0).values().get(0).kind(), changes);
        }
      }
    }
  }

  private void matched(Pair pair) {
    Sides<IndexedStep> steps = steps(pair);
    align(steps, Relation.MATCHED, null, List.of(), null);
    causes.matched(steps);
  }

  /**
   * Adds a moved pair. Consecutive steps that were moved together are one divergence if they have
   * the same rating.
   */
  private void moved(Pair pair) {
    if (!blocks.containsKey(pair)) { // it follows another pair of its block
      Sides<IndexedStep> steps = steps(pair);
      SeverityRating rating = Objects.requireNonNull(lastRating);
      if (matters(rating)) {
        noteFirst(DivergenceKind.MOVED, steps);
      }
      align(steps, relation(Relation.MOVED, steps, rating), divergences - 1, List.of(), null);
    } else {
      diverged(pair, DivergenceKind.MOVED, List.of());
    }
  }

  /** Finds the blocks of moved steps, each with one rating. */
  private void findBlocks(List<Pair> pairs) {
    Pair first = null;
    Pair last = null;
    SeverityRating rating = null;
    for (Pair pair : pairs) {
      boolean isMoved = pair.relation() == Relation.MOVED && !isToBeCompared(pair);
      if (!isMoved) {
        last = null;
        continue;
      }
      SeverityRating own = judge(DivergenceKind.MOVED, steps(pair), List.of());
      boolean isNext = last != null
          && pair.left() == last.left() + 1
          && pair.right() == last.right() + 1
          && own.equals(rating);
      if (!isNext) {
        first = pair;
        rating = own;
      }
      blocks.merge(Objects.requireNonNull(first), 1, Integer::sum);
      last = pair;
    }
  }

  private SeverityRating judge(
      DivergenceKind kind, Sides<IndexedStep> steps, List<ValueChange> values) {
    List<ValueChange> judged = kind == DivergenceKind.WITHHELD
        ? values
        : values.stream()
            .filter(value -> value.kind() != DivergenceKind.WITHHELD)
            .toList();
    Set<DivergenceKind> kinds = EnumSet.of(kind);
    judged.forEach(value -> kinds.add(value.kind()));
    return options
        .severity()
        .judge(new Results.ChangeData(kind, kinds, steps.any().step(), judged));
  }

  private static boolean matters(SeverityRating rating) {
    return rating.severity() != DivergenceSeverity.NONE;
  }

  private void diverged(Pair pair, DivergenceKind kind, List<EventChange> changes) {
    Sides<IndexedStep> steps = steps(pair);
    List<ValueChange> values =
        changes.stream().flatMap(change -> change.values().stream()).toList();
    SeverityRating judged = judge(kind, steps, values);
    tally.values(values);
    if (kind == DivergenceKind.WITHHELD && !matters(judged)) {
      withheld(steps, judged, changes, values);
      return;
    }
    int size = blocks.getOrDefault(pair, 1);
    boolean isIdentified =
        kind != DivergenceKind.WITHHELD && (isListing() || acceptances.isNeeded());
    ContentHash fingerprint =
        isIdentified ? acceptances.fingerprint(kind, pair, size, changes) : null;
    boolean isAccepted = fingerprint != null && matters(judged) && acceptances.accepts(fingerprint);
    SeverityRating rating = isAccepted ? ACCEPTED : judged;
    if (isListing()) {
      drafts.add(new Draft(
          kind,
          rating,
          steps.map(IndexedStep::step),
          size,
          changes,
          fingerprint,
          isAccepted ? judged : null));
      listedBytes += PairComparison.bytes(steps);
      listedBytes += values.stream().mapToLong(ValueComparison::detailBytes).sum();
    }
    tally.divergence(kind, rating.severity());
    if (matters(rating)) {
      causes.divergence(kind, steps, values);
      noteFirst(kind, steps);
    } else {
      causes.harmless(steps);
    }
    Relation relation = pair.relation() == Relation.MATCHED ? Relation.CHANGED : pair.relation();
    align(
        steps,
        relation(relation, steps, rating),
        divergences++,
        values,
        isAccepted ? fingerprint : null);
    lastRating = rating;
  }

  /** Adds a pair of which everything that both sessions show is equal. */
  private void withheld(
      Sides<IndexedStep> steps,
      SeverityRating rating,
      List<EventChange> changes,
      List<ValueChange> values) {
    // others must not be left out because of these
    if (withheld.size() < options.maxDivergences()
        && withheldBytes <= options.limits().maxListedBytes() / 2) {
      withheld.add(new Draft(
          DivergenceKind.WITHHELD, rating, steps.map(IndexedStep::step), 1, changes, null, null));
      withheldBytes += PairComparison.bytes(steps);
    }
    tally.divergence(DivergenceKind.WITHHELD, rating.severity());
    causes.withheld(steps);
    // numbered when all others are
    align(steps, Relation.MATCHED, -1 - withheldPairs++, values, null);
  }

  /** Whether the list has room for another divergence. */
  private boolean isListing() {
    return drafts.size() < options.maxDivergences()
        && listedBytes <= options.limits().maxListedBytes();
  }

  /** The relation of a pair: {@code MATCHED} if its differences do not matter. */
  private static Relation relation(
      Relation found, Sides<IndexedStep> steps, SeverityRating rating) {
    return !matters(rating) && steps instanceof Sides.Both ? Relation.MATCHED : found;
  }

  private void align(
      Sides<IndexedStep> steps,
      Relation relation,
      @Nullable Integer divergence,
      List<ValueChange> values,
      @Nullable ContentHash accepted) {
    alignment.add(
        new Results.AlignedStepData(relation, steps.map(IndexedStep::step), divergence, accepted));
    tally.step(relation, steps, values);
    if (steps.left() != null && steps.left().ordinal() >= 0) {
      leftCalls++;
    }
  }

  /** Remembers the first tool call, of either session, without an equal partner. */
  private void noteFirst(DivergenceKind kind, Sides<IndexedStep> steps) {
    if (OF_CALLS.contains(kind)) {
      int call = call(steps);
      if (call < (first == null ? Integer.MAX_VALUE : first.call())) {
        first = new Results.FirstData(call, kind);
      }
    }
  }

  /**
   * The number of leading calls before a pair. The calls of different lanes have no common order in
   * the two sessions, so that those of the left one are counted.
   */
  private int call(Sides<IndexedStep> steps) {
    if (!lanes.areSeveral()) {
      return Math.min(ordinal(steps.left()), ordinal(steps.right()));
    }
    boolean isCall = steps.any().ordinal() >= 0;
    return !isCall ? Integer.MAX_VALUE : steps.left() == null ? leftCalls : ordinal(steps.left());
  }

  private static int ordinal(@Nullable IndexedStep step) {
    return step == null || step.ordinal() < 0 ? Integer.MAX_VALUE : step.ordinal();
  }

  private SessionDiff diff(List<AppliedRule> rules) {
    List<Cause> found = new ArrayList<>(causes.causes());
    int others = found.size();
    found.addAll(
        Collections.nCopies(withheldPairs, new Results.CauseData(Role.INDEPENDENT, null, null, 0)));
    if (drafts.size() == others) {
      drafts.addAll(
          withheld.subList(0, Math.min(withheld.size(), options.maxDivergences() - others)));
    }
    found.forEach(cause -> tally.role(cause.role()));
    List<Divergence> listed = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      int number = listed.size();
      listed.add(new Results.DivergenceData(
          number,
          draft.kind(),
          draft.rating(),
          found.get(number),
          draft.steps(),
          draft.size(),
          draft.changes(),
          draft.fingerprint(),
          draft.accepted()));
    }
    return new Results.SessionDiffData(
        left.summary(),
        right.summary(),
        tally.summary(left.ignoredCalls() + right.ignoredCalls()),
        first,
        listed,
        alignment.stream().map(pair -> numbered(pair, others)).toList(),
        rules,
        options.failOnOrMinor(),
        acceptances.used(),
        acceptances.unused());
  }

  /** A pair whose number is among all divergences, of which those of withheld values are last. */
  private static AlignedStep numbered(AlignedStep pair, int others) {
    Integer number = pair.divergence();
    return number == null || number >= 0
        ? pair
        : new Results.AlignedStepData(
            pair.relation(), pair.sides(), others - 1 - number, pair.accepted());
  }
}
