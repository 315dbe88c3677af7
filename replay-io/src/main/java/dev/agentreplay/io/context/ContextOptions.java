package dev.agentreplay.io.context;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link DeterministicContext}. Immutable.
 *
 * @param clock the clock that it reads
 * @param seed the seed of everything random; null for a seed of the system's own that differs in
 *     each run
 * @param environment the names of the environment variables that may be read
 * @param records whether each value is recorded
 */
public record ContextOptions(
    ContextClock clock, @Nullable Long seed, Set<String> environment, boolean records) {

  /** The seed of {@link #deterministic()}. */
  public static final long DEFAULT_SEED = 42;

  /** Checks for null, and copies the names. */
  public ContextOptions {
    Objects.requireNonNull(clock, "clock");
    environment = Collections.unmodifiableSet(new TreeSet<>(environment));
  }

  /**
   * The default options: the clock of the system, random values that differ in each run, no
   * environment variable, and nothing is recorded.
   */
  public static ContextOptions defaults() {
    return new ContextOptions(ContextClock.system(), null, Set.of(), false);
  }

  /**
   * The options for reproducible runs: a clock that advances by one second at each reading from
   * 2024-01-01T00:00:00Z, the seed 42, no environment variable, and each value is recorded.
   */
  public static ContextOptions deterministic() {
    return new ContextOptions(ContextClock.stepped(), DEFAULT_SEED, Set.of(), true);
  }

  /** Whether two runs get the same values: the clock and the seed are fixed. */
  public boolean isReproducible() {
    return seed != null && !(clock instanceof ContextClock.Live);
  }

  /** Returns these options with a different clock. */
  public ContextOptions withClock(ContextClock newClock) {
    return new ContextOptions(newClock, seed, environment, records);
  }

  /** Returns these options with a different seed; null for one that differs in each run. */
  public ContextOptions withSeed(@Nullable Long newSeed) {
    return new ContextOptions(clock, newSeed, environment, records);
  }

  /** Returns these options with the environment variables that may be read instead. */
  public ContextOptions withEnvironment(String... names) {
    return new ContextOptions(clock, seed, Set.copyOf(List.of(names)), records);
  }

  /** Returns these options with values recorded, or not. */
  public ContextOptions withRecords(boolean newRecords) {
    return new ContextOptions(clock, seed, environment, newRecords);
  }
}
