package dev.agentreplay.engine.attribution;

import dev.agentreplay.engine.attribution.Difference.Kind;
import dev.agentreplay.engine.attribution.Trials.LimitException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The search for minimal sets of differences: single ones first, then delta debugging. */
final class CauseSearch {

  /** The most differences that are tried one by one before delta debugging. */
  private static final int MAX_SINGLE = 16;

  private static final int MAX_CAUSES = 3;

  /** The decision on a set of differences. */
  private enum Decision {
    SECOND,
    FIRST,
    OPEN
  }

  private final Attribution attribution;
  private final Trials trials;
  private final List<Cause> causes = new ArrayList<>();
  private List<Difference> differences = List.of();
  private final List<String> notTried = new ArrayList<>();

  /** The smallest set with the outcome of the second recording so far. */
  private List<Difference> smallest = List.of();

  private @Nullable Proportion withNone;
  private @Nullable Proportion withAll;

  CauseSearch(Attribution attribution, Trials trials) {
    this.attribution = attribution;
    this.trials = trials;
  }

  AttributionReport run() throws IOException, InterruptedException {
    DifferenceFinder finder = DifferenceFinder.between(trials.firstRun(), trials.secondRun());
    differences = finder.differences();
    notTried.addAll(finder.notTried());
    try {
      return search();
    } catch (LimitException limit) {
      return causes.isEmpty() || !causes.get(0).isMinimal()
          ? report(AttributionVerdict.UNDECIDED, String.valueOf(limit.getMessage()))
          : report(AttributionVerdict.EXPLAINED, null);
    }
  }

  private AttributionReport search() throws IOException, InterruptedException, LimitException {
    Proportion none = trials.test(List.of());
    withNone = none;
    if (none.of() == 0) {
      return report(AttributionVerdict.UNDECIDED, "without any difference " + lastReason());
    } else if (!hasFirst()) {
      return report(
          AttributionVerdict.NOT_REPRODUCED,
          "without any difference the outcome is not that of the first recording: the agent is not"
              + " the one that was recorded, or does not state its end" + failure());
    }
    dropConsequences();
    Proportion all = trials.test(differences);
    withAll = all;
    if (all.of() == 0) {
      return report(AttributionVerdict.UNDECIDED, "with all differences " + lastReason());
    } else if (all.count() == 0) {
      return report(
          AttributionVerdict.UNEXPLAINED,
          "with all differences the outcome is not that of the second recording: what made it differ"
              + " is not among them");
    } else if (decide(all) != Decision.SECOND) {
      return report(
          AttributionVerdict.UNDECIDED,
          "the outcomes with all differences and with none are too often the same: more repetitions"
              + " may tell them apart");
    }
    List<Difference> candidates = differences;
    while (!candidates.isEmpty() && causes.size() < MAX_CAUSES) {
      smallest = candidates;
      List<Difference> minimal = minimal(candidates);
      Proportion with = trials.test(minimal);
      Proportion rest = trials.test(without(differences, minimal));
      Decision withoutThem = decide(rest);
      boolean isMinimal = isMinimal(minimal);
      causes.add(new Cause(
          minimal,
          with,
          rest,
          isMinimal,
          withoutThem == Decision.OPEN ? null : withoutThem == Decision.FIRST,
          with.isCertain() && (!isMinimal || isNeedCertain(minimal))));
      smallest = List.of();
      List<Difference> others = without(candidates, minimal);
      candidates = isSecond(others) ? others : List.of();
    }
    return causes.get(0).isMinimal()
        ? report(AttributionVerdict.EXPLAINED, null)
        : report(AttributionVerdict.UNDECIDED, "not all smaller sets could be decided");
  }

  /** The failure of the agent in the last trial, for the end of a reason. */
  private String failure() {
    String reason = trials.all().get(trials.all().size() - 1).reason();
    return reason == null ? "" : ": " + reason;
  }

  /**
   * Drops the differences of requests that follow from those of results and values: with these, the
   * agent makes the request of the second recording by itself.
   */
  private void dropConsequences() throws IOException, InterruptedException, LimitException {
    List<Difference> received = differences.stream()
        .filter(each -> each.kind() == Kind.RESULT || each.kind() == Kind.VALUE)
        .toList();
    if (received.isEmpty() || received.size() == differences.size()) {
      return;
    }
    List<Difference> independent =
        DifferenceFinder.withoutConsequences(differences, trials.run(received), trials.secondRun());
    for (Difference dropped : without(differences, independent)) {
      notTried.add("%s on line %d, which follows from results before it"
          .formatted(dropped.title(), dropped.leftLine()));
    }
    differences = independent;
  }

  /** Whether the trials without any difference had the outcome of the first recording. */
  private boolean hasFirst() {
    return trials.all().stream().anyMatch(trial -> trial.result() == Trial.Result.FIRST);
  }

  private String lastReason() {
    List<Trial> all = trials.all();
    return "a trial has no outcome: " + all.get(all.size() - 1).reason();
  }

  private Decision decide(Proportion found) {
    if (found.of() == 0) {
      return Decision.OPEN;
    } else if (found.isCertain() || attribution.repeats == 1) {
      return found.count() > 0 ? Decision.SECOND : Decision.FIRST;
    }
    Proportion none = withNone;
    Proportion all = withAll;
    if (none != null && found.lower() > none.upper()) {
      return Decision.SECOND;
    }
    return all != null && found.upper() < all.lower() ? Decision.FIRST : Decision.OPEN;
  }

  private boolean isSecond(List<Difference> some)
      throws IOException, InterruptedException, LimitException {
    boolean isSecond = decide(trials.test(some)) == Decision.SECOND;
    if (isSecond && some.size() < smallest.size()) {
      smallest = some;
    }
    return isSecond;
  }

  /** Whether each of some differences is needed; the trials were made by delta debugging. */
  private boolean isMinimal(List<Difference> some)
      throws IOException, InterruptedException, LimitException {
    for (Difference each : some) {
      if (decide(trials.test(without(some, List.of(each)))) != Decision.FIRST) {
        return false;
      }
    }
    return true;
  }

  /** Whether the trials that show that a set is minimal depend on no executed result. */
  private boolean isNeedCertain(List<Difference> minimal)
      throws IOException, InterruptedException, LimitException {
    for (Difference each : minimal) {
      if (!trials.test(without(minimal, List.of(each))).isCertain()) {
        return false;
      }
    }
    return true;
  }

  private List<Difference> minimal(List<Difference> candidates)
      throws IOException, InterruptedException, LimitException {
    if (candidates.size() > 1 && candidates.size() <= MAX_SINGLE) {
      for (Difference single : candidates) {
        if (isSecond(List.of(single))) {
          return List.of(single);
        }
      }
    }
    return debug(candidates);
  }

  /** Delta debugging: removes parts of a set as long as the outcome is that of the second. */
  private List<Difference> debug(List<Difference> candidates)
      throws IOException, InterruptedException, LimitException {
    List<Difference> current = candidates;
    int parts = 2;
    while (current.size() > 1) {
      List<List<Difference>> split = split(current, parts);
      List<Difference> smaller = null;
      for (List<Difference> part : split) {
        if (smaller == null && isSecond(part)) {
          smaller = part;
          parts = 2;
        }
      }
      if (smaller == null && parts > 2) {
        for (List<Difference> part : split) {
          List<Difference> rest = without(current, part);
          if (smaller == null && isSecond(rest)) {
            smaller = rest;
            parts = Math.max(parts - 1, 2);
          }
        }
      }
      if (smaller != null) {
        current = smaller;
      } else if (parts < current.size()) {
        parts = Math.min(current.size(), 2 * parts);
      } else {
        break;
      }
    }
    return current;
  }

  private static List<List<Difference>> split(List<Difference> all, int parts) {
    List<List<Difference>> split = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < parts; i++) {
      int to = (int) ((long) all.size() * (i + 1) / parts);
      if (to > from) {
        split.add(List.copyOf(all.subList(from, to)));
      }
      from = to;
    }
    return split;
  }

  private static List<Difference> without(List<Difference> all, List<Difference> some) {
    return all.stream().filter(each -> !some.contains(each)).toList();
  }

  private AttributionReport report(AttributionVerdict verdict, @Nullable String reason) {
    List<Difference> remaining = new ArrayList<>(smallest);
    remaining.sort(Comparator.comparingInt(Difference::number));
    return new AttributionReports.Data(
        verdict,
        attribution.first.log(),
        attribution.second.log(),
        trials.outcomeName(),
        trials.first(),
        trials.second(),
        differences,
        notTried,
        trials.all(),
        causes,
        verdict == AttributionVerdict.UNDECIDED ? remaining : List.of(),
        reason);
  }
}
