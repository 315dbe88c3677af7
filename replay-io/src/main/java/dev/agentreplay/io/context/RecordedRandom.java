package dev.agentreplay.io.context;

import dev.agentreplay.model.RecordedValue;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The random numbers of a lane. Each method records the value that it returns, instead of the bits
 * that it was computed from, so that a replay depends on no algorithm. Arguments are checked
 * before, so that a call that fails records nothing. Safe for use by several threads.
 */
final class RecordedRandom implements RandomGenerator {

  private final LaneValues lane;

  RecordedRandom(LaneValues lane) {
    this.lane = lane;
  }

  private <T> T next(ValueForm<T> form, Function<SplitMix64, T> value) {
    return lane.next(RecordedValue.RANDOM, form, (ordinal, random) -> value.apply(random));
  }

  @Override
  public long nextLong() {
    return next(ValueForm.LONG, SplitMix64::nextLong);
  }

  @Override
  public long nextLong(long bound) {
    SplitMix64.requireRange(0, bound);
    return next(ValueForm.LONG, random -> random.nextLong(bound));
  }

  @Override
  public long nextLong(long origin, long bound) {
    SplitMix64.requireRange(origin, bound);
    return next(ValueForm.LONG, random -> random.nextLong(origin, bound));
  }

  @Override
  public int nextInt() {
    return next(ValueForm.INT, SplitMix64::nextInt);
  }

  @Override
  public int nextInt(int bound) {
    SplitMix64.requireRange(0, bound);
    return next(ValueForm.INT, random -> random.nextInt(bound));
  }

  @Override
  public int nextInt(int origin, int bound) {
    SplitMix64.requireRange(origin, bound);
    return next(ValueForm.INT, random -> random.nextInt(origin, bound));
  }

  @Override
  public boolean nextBoolean() {
    return next(ValueForm.BOOLEAN, SplitMix64::nextBoolean);
  }

  @Override
  public void nextBytes(byte[] bytes) {
    byte[] drawn = next(ValueForm.BYTES, random -> {
      byte[] made = new byte[bytes.length];
      random.nextBytes(made);
      return made;
    });
    if (drawn.length != bytes.length) {
      throw new IllegalStateException(
          "%d random bytes requested, found %d".formatted(bytes.length, drawn.length));
    }
    System.arraycopy(drawn, 0, bytes, 0, bytes.length);
  }

  @Override
  public float nextFloat() {
    return next(ValueForm.FLOAT, SplitMix64::nextFloat);
  }

  @Override
  public float nextFloat(float bound) {
    SplitMix64.requireRange(0.0, bound);
    return next(ValueForm.FLOAT, random -> random.nextFloat(bound));
  }

  @Override
  public float nextFloat(float origin, float bound) {
    SplitMix64.requireRange((double) origin, bound);
    return next(ValueForm.FLOAT, random -> random.nextFloat(origin, bound));
  }

  @Override
  public double nextDouble() {
    return next(ValueForm.DOUBLE, SplitMix64::nextDouble);
  }

  @Override
  public double nextDouble(double bound) {
    SplitMix64.requireRange(0.0, bound);
    return next(ValueForm.DOUBLE, random -> random.nextDouble(bound));
  }

  @Override
  public double nextDouble(double origin, double bound) {
    SplitMix64.requireRange(origin, bound);
    return next(ValueForm.DOUBLE, random -> random.nextDouble(origin, bound));
  }

  @Override
  public double nextGaussian() {
    return next(ValueForm.DOUBLE, SplitMix64::nextGaussian);
  }

  @Override
  public double nextGaussian(double mean, double stddev) {
    SplitMix64.requireGaussian(mean, stddev);
    return next(ValueForm.DOUBLE, random -> random.nextGaussian(mean, stddev));
  }

  @Override
  public double nextExponential() {
    return next(ValueForm.DOUBLE, SplitMix64::nextExponential);
  }
}
