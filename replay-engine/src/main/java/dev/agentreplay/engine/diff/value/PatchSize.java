package dev.agentreplay.engine.diff.value;

/**
 * Counts what it takes to say where values differ. Long pointers to many small places in one value
 * would take far more than that value itself, which is then told as a whole.
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

  /** Whether what was added since is too much to say of two values. */
  public boolean isTooLarge(long since, ComparedValue left, ComparedValue right) {
    return size - since > ALWAYS + TIMES * (left.size + right.size);
  }
}
