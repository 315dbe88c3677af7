package dev.agentreplay.engine.attribution;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of differences with which the outcome is that of the second recording. If it is
 * {@linkplain #isMinimal minimal}, the outcome was not that without any one of them. Other sets may
 * exist, unless it is {@linkplain #isNecessary necessary}.
 */
public final class Cause {

  private final List<Difference> differences;
  private final Proportion with;
  private final Proportion without;
  private final boolean isMinimal;
  private final @Nullable Boolean isNecessary;
  private final boolean isCertain;

  Cause(
      List<Difference> differences,
      Proportion with,
      Proportion without,
      boolean isMinimal,
      @Nullable Boolean isNecessary,
      boolean isCertain) {
    this.differences = List.copyOf(differences);
    this.with = with;
    this.without = without;
    this.isMinimal = isMinimal;
    this.isNecessary = isNecessary;
    this.isCertain = isCertain;
  }

  /** The differences, in the order of their numbers. */
  public List<Difference> differences() {
    return differences;
  }

  /** The trials with these differences alone that had the outcome of the second recording. */
  public Proportion with() {
    return with;
  }

  /** The trials with all other differences that had the outcome of the second recording. */
  public Proportion without() {
    return without;
  }

  /**
   * Whether trials showed that each of the differences is needed: without it, with the others, the
   * outcome is not that of the second recording. False if such a trial has no outcome, or its
   * repetitions do not decide it.
   */
  public boolean isMinimal() {
    return isMinimal;
  }

  /**
   * Whether the outcome is not that of the second recording with all differences but these; null if
   * that is not decided.
   */
  public @Nullable Boolean isNecessary() {
    return isNecessary;
  }

  /**
   * Whether the trials with these differences, and those that show that each is needed, depend on
   * no executed result ({@link Proportion#isCertain}). Otherwise only repetitions tell a cause from
   * chance.
   */
  public boolean isCertain() {
    return isCertain;
  }
}
