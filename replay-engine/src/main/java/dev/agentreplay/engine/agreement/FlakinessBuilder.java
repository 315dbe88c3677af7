package dev.agentreplay.engine.agreement;

import dev.agentreplay.engine.agreement.StepStability.Run;
import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.model.ContentHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges several comparisons with the same left session into a {@link FlakinessReport}, step by
 * step. The time is proportional to the number of steps of all runs.
 */
final class FlakinessBuilder {

  /** The data of a report. */
  record ReportData(ComparedSession left, List<ComparedSession> runs, List<StepStability> steps)
      implements FlakinessReport {}

  /** The data of one step of a report. */
  record StabilityData(@Nullable Step left, List<Run> runs, boolean downstream)
      implements StepStability {

    StabilityData {
      runs = List.copyOf(runs);
    }
  }

  /** The data of one run in a step of a report. */
  record RunData(Relation relation, @Nullable Step step, int variant, @Nullable Integer divergence)
      implements Run {}

  /**
   * A step of the left session, or a step that only runs have, with the aligned step of each run;
   * null for a run that does not have it.
   */
  private record Row(@Nullable Step left, List<@Nullable AlignedStep> runs) {

    Row(@Nullable Step left, int runs) {
      this(left, new ArrayList<@Nullable AlignedStep>(Collections.nCopies(runs, null)));
    }
  }

  /** The key by which steps with different contents count as the same step. */
  private record Name(StepKind kind, String name) {

    static Name of(Step step) {
      return new Name(step.kind(), step.name());
    }
  }

  private final List<SessionDiff> diffs;
  private final List<Row> left = new ArrayList<>();

  /**
   * The steps that only runs have: one list for the place before each step of the left session, and
   * one for the end.
   */
  private final List<List<Row>> added = new ArrayList<>();

  private FlakinessBuilder(List<SessionDiff> diffs) {
    this.diffs = diffs;
  }

  static FlakinessReport build(List<SessionDiff> diffs) {
    if (diffs.isEmpty()) {
      throw new IllegalArgumentException("expected at least one comparison");
    }
    FlakinessBuilder builder = new FlakinessBuilder(diffs);
    diffs.get(0).alignment().stream()
        .map(AlignedStep::left)
        .filter(Objects::nonNull)
        .sorted(Comparator.comparingInt(Step::index))
        .forEach(step -> builder.left.add(new Row(step, diffs.size())));
    for (int i = 0; i <= builder.left.size(); i++) {
      builder.added.add(new ArrayList<>());
    }
    for (int run = 0; run < diffs.size(); run++) {
      builder.add(run);
    }
    return new ReportData(
        diffs.get(0).left(), diffs.stream().map(SessionDiff::right).toList(), builder.steps());
  }

  private void add(int run) {
    // a moved step may be listed before earlier steps of the left session
    BitSet seen = new BitSet();
    Map<Integer, List<AlignedStep>> between = new TreeMap<>();
    for (AlignedStep pair : diffs.get(run).alignment()) {
      Step step = pair.left();
      if (step == null) {
        between.computeIfAbsent(seen.nextClearBit(0), next -> new ArrayList<>()).add(pair);
      } else {
        requireSame(run, step.index() < left.size() ? left.get(step.index()).left() : null, step);
        left.get(step.index()).runs().set(run, pair);
        seen.set(step.index());
      }
    }
    int end = seen.nextClearBit(0);
    requireSame(run, end < left.size() ? left.get(end).left() : null, null);
    between.forEach((next, steps) -> addBetween(run, added.get(next), steps));
  }

  private static void requireSame(int run, @Nullable Step expected, @Nullable Step found) {
    boolean isSame = expected != null
        && found != null
        && expected.line() == found.line()
        && expected.fingerprint().equals(found.fingerprint());
    if (!isSame && (expected != null || found != null)) {
      throw new IllegalArgumentException(
          "comparison %d has a different left session or rules: expected %s, found %s"
              .formatted(run + 1, describe(expected), describe(found)));
    }
  }

  private static String describe(@Nullable Step step) {
    return step == null ? "no step" : "the step at line " + step.line();
  }

  /**
   * Adds the steps that only this run has to the rows of the same place: to a row with an equal
   * step of another run, else to one with a step of the same name, else to a new row.
   */
  private void addBetween(int run, List<Row> rows, List<AlignedStep> steps) {
    Map<ContentHash, Deque<Row>> byContent = new HashMap<>();
    Map<Name, Deque<Row>> byName = new HashMap<>();
    for (Row row : rows) {
      for (AlignedStep other : row.runs()) {
        if (other != null) {
          Step step = other.step();
          byContent.computeIfAbsent(step.fingerprint(), f -> new ArrayDeque<>()).add(row);
          byName.computeIfAbsent(Name.of(step), n -> new ArrayDeque<>()).add(row);
        }
      }
    }
    List<AlignedStep> others = new ArrayList<>();
    for (AlignedStep step : steps) {
      if (!put(run, step, byContent.get(step.step().fingerprint()))) {
        others.add(step);
      }
    }
    for (AlignedStep step : others) {
      if (!put(run, step, byName.get(Name.of(step.step())))) {
        Row row = new Row(null, diffs.size());
        row.runs().set(run, step);
        rows.add(row);
      }
    }
  }

  private static boolean put(int run, AlignedStep step, @Nullable Deque<Row> rows) {
    while (rows != null && !rows.isEmpty()) {
      Row row = rows.remove();
      if (row.runs().get(run) == null) {
        row.runs().set(run, step);
        return true;
      }
    }
    return false;
  }

  private List<StepStability> steps() {
    List<StepStability> steps = new ArrayList<>();
    for (int i = 0; i < added.size(); i++) {
      added.get(i).forEach(row -> steps.add(agreement(row)));
      if (i < left.size()) {
        steps.add(agreement(left.get(i)));
      }
    }
    return List.copyOf(steps);
  }

  private StepStability agreement(Row row) {
    Map<Object, Integer> variants = new HashMap<>();
    List<Run> runs = new ArrayList<>();
    boolean downstream = true;
    for (int run = 0; run < diffs.size(); run++) {
      AlignedStep pair = row.runs().get(run);
      if (pair == null) {
        runs.add(new RunData(Relation.MATCHED, null, 0, null));
        continue;
      }
      Divergence divergence = divergence(run, pair);
      int variant = 0;
      if (!agrees(run, pair, divergence)) {
        variant = variants.computeIfAbsent(variant(pair), v -> variants.size() + 1);
        downstream &= divergence != null && divergence.role() == Divergence.Role.DOWNSTREAM;
      }
      runs.add(new RunData(pair.relation(), pair.right(), variant, pair.divergence()));
    }
    return new StabilityData(row.left(), runs, downstream && !variants.isEmpty());
  }

  /** The divergence that a step is part of; null when there is none or it is not listed. */
  private @Nullable Divergence divergence(int run, AlignedStep pair) {
    List<Divergence> listed = diffs.get(run).divergences();
    Integer number = pair.divergence();
    return number == null || number >= listed.size() ? null : listed.get(number);
  }

  private boolean agrees(int run, AlignedStep pair, @Nullable Divergence divergence) {
    return pair.relation() == Relation.MATCHED
        || (divergence != null && divergence.severity().compareTo(diffs.get(run).failOn()) < 0);
  }

  /** A key that is equal for two runs exactly if they agree with each other in a step. */
  private static Object variant(AlignedStep pair) {
    return switch (pair.relation()) {
      case MISSING, MOVED -> pair.relation();
      case CHANGED, ADDED, MATCHED -> Objects.requireNonNull(pair.right()).fingerprint();
    };
  }
}
