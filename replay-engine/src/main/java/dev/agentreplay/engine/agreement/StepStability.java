package dev.agentreplay.engine.agreement;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Step;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One step of the left session, or a step that only runs have, with its counterpart in each run.
 * Immutable.
 */
public sealed interface StepStability permits FlakinessBuilder.StabilityData {

  /** The counterpart of the step in one run. */
  sealed interface Run permits FlakinessBuilder.RunData {

    /**
     * The relation of the run to the left session; {@code MATCHED} also when neither has the step.
     */
    Relation relation();

    /** The step in the run; null when the run does not have it. */
    @Nullable
    Step step();

    /**
     * The number of the variant: 0 when the run agrees with the left session; otherwise 1 or more,
     * the same for runs that agree with each other.
     */
    int variant();

    /**
     * The number of the divergence ({@link dev.agentreplay.engine.diff.Divergence#number}) in the
     * comparison with this run; null when the step is not part of a divergence.
     */
    @Nullable
    Integer divergence();

    /** Whether the run agrees with the left session. */
    default boolean agrees() {
      return variant() == 0;
    }
  }

  /** The step in the left session; null when only runs have it. */
  @Nullable
  Step left();

  /** The counterparts of the step, in the order of the runs. */
  List<Run> runs();

  /**
   * Whether every run that differs in this step differs downstream of an earlier divergence; false
   * when no run differs.
   */
  boolean downstream();

  /** The consistency of the step over all runs. */
  default Stability stability() {
    int agreeing = agreeing();
    if (agreeing > 0) {
      return agreeing == runs().size() ? Stability.STABLE : Stability.FLAKY;
    }
    return variants() == 1 ? Stability.REGRESSION : Stability.UNSTABLE;
  }

  /** The number of runs that agree with the left session. */
  default int agreeing() {
    return (int) runs().stream().filter(Run::agrees).count();
  }

  /** The number of different variants among the runs that do not agree with the left session. */
  default int variants() {
    return runs().stream().mapToInt(Run::variant).max().orElse(0);
  }

  /** The step in the left session, or else in the first run that has it. */
  default Step step() {
    Step left = left();
    return left != null
        ? left
        : runs().stream().map(Run::step).filter(Objects::nonNull).findFirst().orElseThrow();
  }
}
