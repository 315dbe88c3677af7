package dev.agentreplay.engine.attribution;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A minimal set of differences with which the outcome is that of the second recording: without any
 * one of them it was not. Other sets may exist, unless it is {@linkplain #isNecessary necessary}.
 */
public final class Cause {

  private final List<Difference> differences;
  private final Proportion with;
  private final Proportion without;
  private final @Nullable Boolean isNecessary;

  Cause(
      List<Difference> differences,
      Proportion with,
      Proportion without,
      @Nullable Boolean isNecessary) {
    this.differences = List.copyOf(differences);
    this.with = with;
    this.without = without;
    this.isNecessary = isNecessary;
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
   * Whether the outcome is that of the first recording, or a different one, with all other
   * differences; null if that is not decided.
   */
  public @Nullable Boolean isNecessary() {
    return isNecessary;
  }
}
