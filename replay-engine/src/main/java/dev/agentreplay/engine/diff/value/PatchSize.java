package dev.agentreplay.engine.diff.value;

/**
 * Counts the length of the pointers to the places where values differ. A value is reported as a
 * whole when the pointers to many small places in it would be far longer than the value itself.
 */
public final class PatchSize {

  private static final long ALWAYS = 65_536;
  private static final int TIMES = 16;

  private long size;

  public long get() {
    return size;
  }

  public void reset(long earlier) {
    size = earlier;
  }

  public void add(ValuePath path) {
    size += path.length();
  }

  /** Whether the pointers added since an earlier size are too long for two values. */
  public boolean isTooLarge(long since, ComparedValue left, ComparedValue right) {
    return size - since > ALWAYS + TIMES * (left.size + right.size);
  }
}
