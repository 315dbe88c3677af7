package dev.agentreplay.engine.diff;

/**
 * The limits of a comparison, which keep its memory from growing with the sessions. They are the
 * same on every machine, so that the same sessions always have the same result.
 *
 * @param maxSteps the most steps of one session, 250,000 by default: a session with more is refused
 *     with {@link DiffLimitException}. Keeping a step takes about 1 KB
 * @param maxElements the most elements of two arrays that are aligned with each other, both arrays
 *     together, 100,000 by default; elements that are equal at the beginning and at the end of both
 *     arrays do not count, unless their order says nothing. Two arrays with more are compared as a
 *     whole, which {@link SessionDiff#rules} then says
 * @param maxListedBytes the most bytes of events, and of {@link ValueChange#detail}, that are kept
 *     for the list of divergences, 32 MiB by default. The divergence that exceeds it is the last in
 *     the list; all are counted
 */
public record DiffLimits(int maxSteps, int maxElements, long maxListedBytes) {

  private static final DiffLimits DEFAULTS = new DiffLimits(250_000, 100_000, 32L << 20);

  /** Checks that no limit is negative. */
  public DiffLimits {
    check("steps", maxSteps);
    check("elements", maxElements);
    check("listed bytes", maxListedBytes);
  }

  /** The default limits. */
  public static DiffLimits defaults() {
    return DEFAULTS;
  }

  /** These limits with another maximum of steps. */
  public DiffLimits withMaxSteps(int newMaxSteps) {
    return new DiffLimits(newMaxSteps, maxElements, maxListedBytes);
  }

  /** These limits with another maximum of elements. */
  public DiffLimits withMaxElements(int newMaxElements) {
    return new DiffLimits(maxSteps, newMaxElements, maxListedBytes);
  }

  /** These limits with another maximum of listed bytes. */
  public DiffLimits withMaxListedBytes(long newMaxListedBytes) {
    return new DiffLimits(maxSteps, maxElements, newMaxListedBytes);
  }

  private static void check(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException("maximum of " + what + " must not be negative: " + value);
    }
  }
}
