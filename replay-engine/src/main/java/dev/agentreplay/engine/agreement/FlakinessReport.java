package dev.agentreplay.engine.agreement;

import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of one session with several runs, step by step, which separates regressions from
 * flaky steps: a step that changed in the same way in all runs is a regression; a step that differs
 * in some runs only is flaky; a step that differs in all runs, but not in the same way, is
 * unstable.
 *
 * <pre>{@code
 * Session expected = Session.open(before);
 * FlakinessReport agreement = FlakinessReport.of(List.of(
 *     SessionDiff.between(expected, Session.open(after)),
 *     SessionDiff.between(expected, Session.open(directory))));
 * }</pre>
 *
 * <p>Reports are immutable and safe for use by several threads.
 */
public sealed interface FlakinessReport permits FlakinessBuilder.ReportData {

  /**
   * Merges several comparisons with the same left session.
   *
   * <p>A run agrees with the left session in a step if its comparison matched the step, or found a
   * divergence that is less severe than {@link SessionDiff#failOn}. Two runs that differ from the
   * left session agree with each other if the step is missing from both, if both moved it, or if
   * their steps have the same {@link Step#fingerprint}; tolerances and rules for texts are not
   * applied between runs. Steps that only runs have count as one step if they are between the same
   * steps of the left session and are equal or, failing that, have the same name.
   *
   * <p>A divergence that a comparison did not list ({@link DiffOptions#maxDivergences}) counts as
   * one that matters and is not downstream.
   *
   * @param diffs one or more comparisons, made with the same options; with one, no step can be
   *     flaky
   * @throws IllegalArgumentException if there is none, or they differ in their left session or
   *     their rules
   */
  static FlakinessReport of(List<SessionDiff> diffs) {
    return FlakinessBuilder.build(List.copyOf(diffs));
  }

  /** The session with which the runs are compared. */
  ComparedSession left();

  /** The runs, in the order of the comparisons. */
  List<ComparedSession> runs();

  /**
   * All steps: the steps of the left session in their order, and between them the steps that only
   * runs have.
   */
  List<StepStability> steps();

  /**
   * The worst stability of the steps that are not downstream of earlier ones, in the order
   * {@code REGRESSION}, {@code UNSTABLE}, {@code FLAKY}, {@code STABLE}.
   */
  default Stability verdict() {
    return steps().stream()
        .filter(step -> !step.downstream())
        .map(StepStability::stability)
        .max(Stability::compareTo)
        .orElse(Stability.STABLE);
  }

  /**
   * The agreement of the runs with the left session, from 0.0 to 100.0: the percentage of all pairs
   * of a step and a run in which the run agrees. A run agrees in a step that the left session does
   * not have if the run does not have it either. The value is 100.0 only if all steps are stable,
   * or there are no steps.
   */
  default double agreement() {
    if (steps().isEmpty()) {
      return 100;
    }
    long agreeing = steps().stream().mapToLong(StepStability::agreeing).sum();
    return 100.0 * agreeing / ((long) steps().size() * runs().size());
  }

  /** The number of steps of each stability, zeros included. Unmodifiable. */
  default Map<Stability, Integer> counts() {
    Map<Stability, Integer> counts = new EnumMap<>(Stability.class);
    for (Stability stability : Stability.values()) {
      counts.put(stability, 0);
    }
    steps().forEach(step -> counts.merge(step.stability(), 1, Integer::sum));
    return Collections.unmodifiableMap(counts);
  }

  /** The steps that are not stable, in order. */
  default List<StepStability> unstable() {
    return steps().stream().filter(step -> step.stability() != Stability.STABLE).toList();
  }

  /**
   * The root cause: the first step that determines the verdict, and so the first regression if
   * there is one that is not downstream of earlier steps; null when all steps are stable.
   */
  default @Nullable StepStability cause() {
    Stability verdict = verdict();
    return unstable().stream()
        .filter(step -> step.stability() == verdict && !step.downstream())
        .findFirst()
        .orElse(null);
  }
}
