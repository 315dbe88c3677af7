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
 * How several runs agree with one session, step by step, so that what changed is told from what is
 * another thing in every run.
 *
 * <pre>{@code
 * Session expected = Session.open(before);
 * FlakinessReport agreement = FlakinessReport.of(List.of(
 *     SessionDiff.between(expected, Session.open(after)),
 *     SessionDiff.between(expected, Session.open(directory))));
 * }</pre>
 */
public sealed interface FlakinessReport permits FlakinessBuilder.ReportData {

  /**
   * Puts comparisons of one left session together.
   *
   * <p>A run agrees in a step when its comparison found the two equal, or found a divergence of
   * severity {@code NONE}. Two runs that differ from the left session agree with each other when
   * both lack the step, when both have it elsewhere, or when their steps have the same
   * {@link Step#fingerprint}: tolerances and rules for texts do not hold between them. A step that
   * only runs have is one step when they have it between the same steps of the left session, and it
   * is equal, or else has the same name.
   *
   * <p>A divergence that a comparison has not listed ({@link DiffOptions#maxDivergences}) counts as
   * one that matters and follows from nothing.
   *
   * @param diffs two or more, made under the same options
   * @throws IllegalArgumentException if they are less, or are not of the same left session under
   *     the same rules
   */
  static FlakinessReport of(List<SessionDiff> diffs) {
    return FlakinessBuilder.build(List.copyOf(diffs));
  }

  /** The session that the runs are compared with. */
  ComparedSession left();

  /** The runs, in the order they were given. */
  List<ComparedSession> runs();

  /**
   * All steps: those of the left session in their order, and those that only runs have where they
   * have them.
   */
  List<StepStability> steps();

  /**
   * The worst that there is among the steps that do not follow from earlier ones:
   * {@code REGRESSION} before {@code UNSTABLE} before {@code FLAKY}.
   */
  default Stability verdict() {
    return steps().stream()
        .filter(step -> !step.downstream())
        .map(StepStability::stability)
        .max(Stability::compareTo)
        .orElse(Stability.STABLE);
  }

  /**
   * How much the runs agree with the left session, from 0.0 to 100.0: for each step and run one
   * that agrees, as a share of all. Of a step that the left session does not have, the runs agree
   * that do not have it either. 100.0 only when all steps are stable, and when there are none.
   */
  default double agreement() {
    if (steps().isEmpty()) {
      return 100;
    }
    long agreeing = steps().stream().mapToLong(StepStability::agreeing).sum();
    return 100.0 * agreeing / ((long) steps().size() * runs().size());
  }

  /** How many steps there are of each stability, also of those that there are none of. */
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
   * The first step that the verdict is about; null when all are stable. So it is the first
   * regression where there is one that does not follow from earlier steps.
   */
  default @Nullable StepStability cause() {
    Stability verdict = verdict();
    return unstable().stream()
        .filter(step -> step.stability() == verdict && !step.downstream())
        .findFirst()
        .orElse(null);
  }
}
