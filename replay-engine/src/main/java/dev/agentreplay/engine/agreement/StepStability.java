package dev.agentreplay.engine.agreement;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Step;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What several runs made of one step of the left session, or of one that the left session does not
 * have.
 *
 * @param left the step in the left session; null when only runs have it
 * @param runs what each run made of it, in the order of the runs
 * @param downstream whether every run that differs here has differed before, and what it did here
 *     follows from that; false when none differs
 */
public record StepStability(@Nullable Step left, List<Run> runs, boolean downstream) {

  /**
   * What one run made of a step.
   *
   * @param relation how that is related to the left session; {@code MATCHED} also when neither has
   *     the step
   * @param step the step in the run; null when it has none
   * @param variant 0 when the run agrees with the left session; those that do not have the same
   *     number, from 1, when they agree with each other
   * @param divergence the number of the divergence in the comparison with this run; null when the
   *     step is part of none
   */
  public record Run(
      Relation relation, @Nullable Step step, int variant, @Nullable Integer divergence) {

    /** Checks for null. */
    public Run {
      Objects.requireNonNull(relation, "relation");
    }

    /** Whether the run agrees with the left session. */
    public boolean agrees() {
      return variant == 0;
    }
  }

  /** Checks for null and copies. */
  public StepStability {
    runs = List.copyOf(runs);
    if (left == null && runs.stream().allMatch(run -> run.step() == null)) {
      throw new IllegalArgumentException("a step is in the left session, or in a run at least");
    }
  }

  /** How steady the step is. */
  public Stability stability() {
    int agreeing = agreeing();
    if (agreeing > 0) {
      return agreeing == runs.size() ? Stability.STABLE : Stability.FLAKY;
    }
    return variants() == 1 ? Stability.REGRESSION : Stability.UNSTABLE;
  }

  /** How many runs agree with the left session. */
  public int agreeing() {
    return (int) runs.stream().filter(Run::agrees).count();
  }

  /** In how many ways runs differ from the left session. */
  public int variants() {
    return runs.stream().mapToInt(Run::variant).max().orElse(0);
  }

  /** The step in the left session, or else in the first run that has it. */
  public Step step() {
    return left != null
        ? left
        : runs.stream().map(Run::step).filter(Objects::nonNull).findFirst().orElseThrow();
  }
}
