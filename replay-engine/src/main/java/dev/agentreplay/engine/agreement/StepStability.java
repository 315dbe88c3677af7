package dev.agentreplay.engine.agreement;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Step;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One step of the left session, or one that only runs have, and what each of several runs made of
 * it.
 */
public sealed interface StepStability permits FlakinessBuilder.StabilityData {

  /** The part of one run in a step. */
  sealed interface Run permits FlakinessBuilder.RunData {

    /** The relation to the left session; {@code MATCHED} also when neither has the step. */
    Relation relation();

    /** The step in the run; null when it has none. */
    @Nullable
    Step step();

    /**
     * 0 when the run agrees with the left session; those that do not have the same number, from 1,
     * when they agree with each other.
     */
    int variant();

    /**
     * The number of the divergence in the comparison with this run; null when the step is part of
     * none.
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

  /** The part of each run, in the order of the runs. */
  List<Run> runs();

  /**
   * Whether every run that differs here has differed before, and what it did here follows from
   * that; false when none differs.
   */
  boolean downstream();

  /** How steady the step is. */
  default Stability stability() {
    int agreeing = agreeing();
    if (agreeing > 0) {
      return agreeing == runs().size() ? Stability.STABLE : Stability.FLAKY;
    }
    return variants() == 1 ? Stability.REGRESSION : Stability.UNSTABLE;
  }

  /** How many runs agree with the left session. */
  default int agreeing() {
    return (int) runs().stream().filter(Run::agrees).count();
  }

  /** In how many ways runs differ from the left session. */
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
