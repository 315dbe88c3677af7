package dev.agentreplay.io.context;

import dev.agentreplay.model.ContentHash;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), with
 * every method implemented here, so that its sequence is the same on each JDK: the algorithms
 * behind the default methods of {@link RandomGenerator} are unspecified, and a named algorithm such
 * as L64X128MixRandom is in a module of its own that a runtime may lack. Integer arithmetic, exact
 * double arithmetic and {@link StrictMath} only. Not safe for use by several threads.
 */
final class SplitMix64 implements RandomGenerator {

  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private long state;

  SplitMix64(long state) {
    this.state = state;
  }

  /**
   * The generator for one value of a source. It is computed from the ordinal instead of the values
   * before, so that a value that is requested again, or first after a crash, is the same.
   *
   * @param key the {@linkplain #key key} of lane and source
   */
  static SplitMix64 of(long key, long ordinal) {
    return new SplitMix64(mix(key + (ordinal + 1) * GAMMA));
  }

  /**
   * The key of a lane and a source: the first 8 bytes, big-endian, of the SHA-256 of seed, lane and
   * source, each in a line of its own.
   *
   * @param lane the name of the lane; null for the main one
   */
  static long key(long seed, @Nullable String lane, String source) {
    String text = seed + "\n" + (lane == null ? "" : lane) + "\n" + source;
    String hash = ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8)).hex();
    return Long.parseUnsignedLong(hash.substring(0, 16), 16);
  }

  @Override
  public long nextLong() {
    return mix(state += GAMMA);
  }

  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public long nextLong(long bound) {
    return nextLong(0, bound);
  }

  @Override
  public long nextLong(long origin, long bound) {
    requireRange(origin, bound);
    return origin + below(bound - origin);
  }

  /** A number from 0 to below the bound; both are unsigned. */
  private long below(long bound) {
    long excess = Long.remainderUnsigned(-bound, bound); // 2^64 modulo bound
    long bits = nextLong();
    while (Long.compareUnsigned(bits, -excess) >= 0 && excess != 0) {
      bits = nextLong(); // would favor small numbers
    }
    return Long.remainderUnsigned(bits, bound);
  }

  @Override
  public int nextInt() {
    return (int) (nextLong() >>> 32);
  }

  @Override
  public int nextInt(int bound) {
    return (int) nextLong(0, bound);
  }

  @Override
  public int nextInt(int origin, int bound) {
    return (int) nextLong(origin, bound);
  }

  @Override
  public boolean nextBoolean() {
    return nextLong() < 0;
  }

  @Override
  public void nextBytes(byte[] bytes) {
    long bits = 0;
    for (int i = 0; i < bytes.length; i++) {
      bits = i % Long.BYTES == 0 ? nextLong() : bits >>> Byte.SIZE;
      bytes[i] = (byte) bits;
    }
  }

  @Override
  public float nextFloat() {
    return (nextLong() >>> 40) * 0x1p-24f;
  }

  @Override
  public float nextFloat(float bound) {
    return nextFloat(0, bound);
  }

  @Override
  public float nextFloat(float origin, float bound) {
    requireRange(origin, bound);
    float value = (float) scaled(nextFloat(), origin, bound);
    return value < bound ? value : Math.nextDown(bound);
  }

  @Override
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1p-53;
  }

  @Override
  public double nextDouble(double bound) {
    return nextDouble(0, bound);
  }

  @Override
  public double nextDouble(double origin, double bound) {
    requireRange(origin, bound);
    double value = scaled(nextDouble(), origin, bound);
    return value < bound ? value : Math.nextDown(bound);
  }

  /** A number of the range, or its bound by rounding; never -0.0, which JCS cannot write. */
  private static double scaled(double share, double origin, double bound) {
    double size = bound - origin;
    double value = size < Double.POSITIVE_INFINITY
        ? share * size + origin
        : 2 * (share * (bound / 2 - origin / 2) + origin / 2);
    return value + 0.0;
  }

  /** Fails unless there is a number from the origin to below the bound. */
  static void requireRange(long origin, long bound) {
    if (origin >= bound) {
      throw new IllegalArgumentException(
          "bound must be greater than origin: from %d to %d".formatted(origin, bound));
    }
  }

  /** Fails unless there is a number from the origin to below the bound, and both are finite. */
  static void requireRange(double origin, double bound) {
    if (!Double.isFinite(origin) || !Double.isFinite(bound) || origin >= bound) {
      throw new IllegalArgumentException(
          "origin and bound must be finite, and bound be greater: from %s to %s"
              .formatted(origin, bound));
    }
  }

  /** Fails unless a mean and a standard deviation are in range. */
  static void requireGaussian(double mean, double stddev) {
    if (!Double.isFinite(mean) || !Double.isFinite(stddev) || stddev < 0) {
      throw new IllegalArgumentException(
          "mean and stddev must be finite, and stddev not negative: %s, %s"
              .formatted(mean, stddev));
    }
  }

  /** The polar method of Marsaglia; its second number is not used. */
  @Override
  public double nextGaussian() {
    double first;
    double square;
    do {
      first = 2 * nextDouble() - 1;
      double second = 2 * nextDouble() - 1;
      square = first * first + second * second;
    } while (square >= 1 || square == 0);
    return first * StrictMath.sqrt(-2 * StrictMath.log(square) / square) + 0.0;
  }

  @Override
  public double nextGaussian(double mean, double stddev) {
    requireGaussian(mean, stddev);
    return mean + stddev * nextGaussian() + 0.0;
  }

  @Override
  public double nextExponential() {
    return -StrictMath.log(1 - nextDouble()) + 0.0;
  }
}
