package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence.Cause;
import dev.agentreplay.engine.diff.SessionDiff.First;
import dev.agentreplay.engine.diff.SeverityPolicy.Change;
import dev.agentreplay.engine.diff.StepAlignment.Pair;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares two sessions: reads their steps as the rules normalise them, aligns them, compares those
 * that are not equal, and classifies how they differ. Both logs are read once for the steps; of
 * what differs the events are read again.
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

  private final SessionSteps.Read left;
  private final SessionSteps.Read right;
  private final DiffOptions options;
  private final DiffTally tally = new DiffTally();
  private final Causes causes = new Causes();
  private final List<AlignedStep> alignment = new ArrayList<>();

  /** The divergences that are listed; the others are only counted. */
  private final List<Draft> drafts = new ArrayList<>();

  /** The bytes of the events that those are about, and about those of the details. */
  private long listedBytes;

  private int divergences;
  private @Nullable SeverityRating lastRuling;
  private @Nullable First first;

  /** The last step of a block that was moved, if that is the last divergence. */
  private @Nullable Pair lastMoved;

  /** A divergence before it is known what it follows from. */
  private record Draft(
      DivergenceKind kind,
      SeverityRating ruling,
      @Nullable Step left,
      @Nullable Step right,
      int size,
      List<EventChange> changes) {

    Draft grown() {
      return new Draft(kind, ruling, left, right, size + 1, changes);
    }
  }

  private SessionComparison(SessionSteps.Read left, SessionSteps.Read right, DiffOptions options) {
    this.left = left;
    this.right = right;
    this.options = options;
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
    SessionComparison comparison = new SessionComparison(
        SessionSteps.read(left, rules, Side.LEFT, canonical, options),
        SessionSteps.read(right, rules, Side.RIGHT, canonical, options),
        options);
    requireRecorded(comparison.left, comparison.right);
    try (PairComparison pairs =
        new PairComparison(comparison.left, comparison.right, rules, canonical, options)) {
      comparison.compare(pairs);
    }
    return comparison.diff(rules.applied());
  }

  /** Nothing is known of sessions of which nothing was recorded: not that they are identical. */
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
    List<Pair> pairs = StepAlignment.of(left.steps(), right.steps());
    List<Pair> unequal = pairs.stream().filter(this::isToBeCompared).toList();
    Iterator<Pair> next = pairs.iterator();
    events.compare(
        unequal.stream()
            .map(pair -> new PairComparison.Steps(left(pair), right(pair)))
            .toList(),
        (index, changes) -> {
          for (Pair pair = next.next(); !pair.equals(unequal.get(index)); pair = next.next()) {
            equal(pair);
          }
          differing(unequal.get(index), changes);
        },
        this::isListing);
    next.forEachRemaining(this::equal);
  }

  private boolean isToBeCompared(Pair pair) {
    IndexedStep one = left(pair);
    IndexedStep other = right(pair);
    if (one == null || other == null) {
      return true;
    }
    return options.strict() || pair.relation() == Relation.CHANGED || !one.equalTo(other);
  }

  private @Nullable IndexedStep left(Pair pair) {
    return pair.left() < 0 ? null : left.steps().get(pair.left());
  }

  private @Nullable IndexedStep right(Pair pair) {
    return pair.right() < 0 ? null : right.steps().get(pair.right());
  }

  /** Two steps whose contents are equal. */
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
    IndexedStep one = Objects.requireNonNull(left(pair));
    IndexedStep other = Objects.requireNonNull(right(pair));
    alignment.add(new AlignedStep(Relation.MATCHED, one.step(), other.step(), null));
    tally.step(Relation.MATCHED, one, other);
    causes.matched(one.step().kind());
    lastMoved = null;
  }

  /** Steps that were moved together are one divergence, if all of them are judged alike. */
  private void moved(Pair pair) {
    Pair before = lastMoved;
    boolean isNext =
        before != null && pair.left() == before.left() + 1 && pair.right() == before.right() + 1;
    SeverityRating ruling = judge(DivergenceKind.MOVED, left(pair), right(pair), List.of());
    if (isNext && ruling.equals(lastRuling)) {
      int number = divergences - 1;
      if (number < drafts.size()) {
        drafts.set(number, drafts.get(number).grown());
      }
      if (matters(ruling)) {
        noteFirst(DivergenceKind.MOVED, left(pair), right(pair));
      }
      align(pair, Relation.MOVED, number, matters(ruling));
    } else {
      diverged(pair, DivergenceKind.MOVED, List.of());
    }
    lastMoved = pair;
  }

  private SeverityRating judge(
      DivergenceKind kind,
      @Nullable IndexedStep one,
      @Nullable IndexedStep other,
      List<ValueChange> values) {
    Set<DivergenceKind> kinds = EnumSet.of(kind);
    values.forEach(value -> kinds.add(value.kind()));
    Step step = Objects.requireNonNull(one != null ? one : other).step();
    return options.severity().judge(new Change(kind, kinds, step, values));
  }

  private static boolean matters(SeverityRating ruling) {
    return ruling.severity() != DivergenceSeverity.NONE;
  }

  private void diverged(Pair pair, DivergenceKind kind, List<EventChange> changes) {
    IndexedStep one = left(pair);
    IndexedStep other = right(pair);
    List<ValueChange> values =
        changes.stream().flatMap(change -> change.values().stream()).toList();
    SeverityRating ruling = judge(kind, one, other, values);
    if (isListing()) {
      drafts.add(new Draft(kind, ruling, step(one), step(other), 1, changes));
      listedBytes += bytes(one) + bytes(other);
      listedBytes += values.stream().mapToLong(ValueChange::detailBytes).sum();
    }
    tally.divergence(kind, ruling.severity());
    if (matters(ruling)) {
      causes.divergence(
          kind, Objects.requireNonNull(one != null ? one : other).step().kind(), values);
      noteFirst(kind, one, other);
    } else {
      causes.harmless();
    }
    Relation relation = pair.relation() == Relation.MATCHED ? Relation.CHANGED : pair.relation();
    align(pair, relation, divergences++, matters(ruling));
    lastRuling = ruling;
    lastMoved = null;
  }

  /** Whether there is room for one more divergence in the list. */
  private boolean isListing() {
    return drafts.size() < options.maxDivergences()
        && listedBytes <= options.limits().maxListedBytes();
  }

  private static long bytes(@Nullable IndexedStep step) {
    return step == null ? 0 : step.bytes();
  }

  private void align(Pair pair, Relation relation, int divergence, boolean matters) {
    IndexedStep one = left(pair);
    IndexedStep other = right(pair);
    // two steps that differ in nothing that matters are equal, as the rules have it
    Relation found = matters || one == null || other == null ? relation : Relation.MATCHED;
    alignment.add(new AlignedStep(found, step(one), step(other), divergence));
    tally.step(found, one, other);
  }

  /** Remembers where the calls part: the first in either session that has no equal partner. */
  private void noteFirst(
      DivergenceKind kind, @Nullable IndexedStep one, @Nullable IndexedStep other) {
    if (OF_CALLS.contains(kind)) {
      int call = Math.min(ordinal(one), ordinal(other));
      if (call < (first == null ? Integer.MAX_VALUE : first.call())) {
        first = new First(call, kind);
      }
    }
  }

  private static int ordinal(@Nullable IndexedStep step) {
    return step == null || step.ordinal() < 0 ? Integer.MAX_VALUE : step.ordinal();
  }

  private static @Nullable Step step(@Nullable IndexedStep step) {
    return step == null ? null : step.step();
  }

  private SessionDiff diff(List<AppliedRule> rules) {
    List<Cause> found = causes.causes();
    found.forEach(cause -> tally.role(cause.role()));
    List<Divergence> listed = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      int number = listed.size();
      listed.add(new Divergence(
          number,
          draft.kind(),
          draft.ruling(),
          found.get(number),
          draft.left(),
          draft.right(),
          draft.size(),
          draft.changes()));
    }
    return new SessionDiff(
        left.summary(),
        right.summary(),
        tally.summary(left.ignoredCalls() + right.ignoredCalls()),
        first,
        listed,
        alignment,
        rules);
  }
}
