package dev.agentreplay.engine.diff;

/**
 * The limits of a comparison, which bound its memory for sessions of any size. The defaults are the
 * same on every machine, so that the same sessions always have the same result. Immutable.
 *
 * @param maxSteps the maximum number of steps of one session, 250,000 by default. A session with
 *     more is rejected with {@link DiffLimitException}. A step takes about 1 KB of memory
 * @param maxElements the maximum number of elements, of two arrays together, that are aligned with
 *     each other, 100,000 by default. Equal elements at the beginning and at the end of both arrays
 *     do not count, unless the arrays are unordered. Larger arrays are compared as a whole, which
 *     {@link SessionDiff#rules} reports; so are unordered arrays with too many different texts, as
 *     {@link dev.agentreplay.engine.diff.rule.UnorderedArray} documents
 * @param maxListedBytes the maximum number of bytes of events and of {@link ValueChange#detail}
 *     that are kept for the list of divergences, 32 MiB by default. The divergence that exceeds the
 *     limit is the last in the list; the counts include all divergences
 */
public record DiffLimits(int maxSteps, int maxElements, long maxListedBytes) {

  private static final DiffLimits DEFAULTS = new DiffLimits(250_000, 100_000, 32L << 20);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a limit is negative
   */
  public DiffLimits {
    check("steps", maxSteps);
    check("elements", maxElements);
    check("listed bytes", maxListedBytes);
  }

  /** The default limits. */
  public static DiffLimits defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these limits with a different maximum of steps.
   *
   * @throws IllegalArgumentException if {@code newMaxSteps} is negative
   */
  public DiffLimits withMaxSteps(int newMaxSteps) {
    return new DiffLimits(newMaxSteps, maxElements, maxListedBytes);
  }

  /**
   * Returns these limits with a different maximum of elements.
   *
   * @throws IllegalArgumentException if {@code newMaxElements} is negative
   */
  public DiffLimits withMaxElements(int newMaxElements) {
    return new DiffLimits(maxSteps, newMaxElements, maxListedBytes);
  }

  /**
   * Returns these limits with a different maximum of listed bytes.
   *
   * @throws IllegalArgumentException if {@code newMaxListedBytes} is negative
   */
  public DiffLimits withMaxListedBytes(long newMaxListedBytes) {
    return new DiffLimits(maxSteps, maxElements, newMaxListedBytes);
  }

  private static void check(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException("maximum of " + what + " must not be negative: " + value);
    }
  }
}
