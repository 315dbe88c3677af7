package dev.agentreplay.io.context;

import dev.agentreplay.model.RecordedValue;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The random numbers of a lane. Each method records the value that it returns, instead of the bits
 * that it was computed from, so that a replay depends on no algorithm; a recorded value outside of
 * the requested range, or of another kind, does not fit. Arguments are checked before, so that a
 * call that fails records nothing. Safe for use by several threads.
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
    return next(longFrom(0, bound), random -> random.nextLong(bound));
  }

  @Override
  public long nextLong(long origin, long bound) {
    SplitMix64.requireRange(origin, bound);
    return next(longFrom(origin, bound), random -> random.nextLong(origin, bound));
  }

  @Override
  public int nextInt() {
    return next(ValueForm.INT, SplitMix64::nextInt);
  }

  @Override
  public int nextInt(int bound) {
    SplitMix64.requireRange(0, bound);
    return next(intFrom(0, bound), random -> random.nextInt(bound));
  }

  @Override
  public int nextInt(int origin, int bound) {
    SplitMix64.requireRange(origin, bound);
    return next(intFrom(origin, bound), random -> random.nextInt(origin, bound));
  }

  @Override
  public boolean nextBoolean() {
    return next(ValueForm.BOOLEAN, SplitMix64::nextBoolean);
  }

  @Override
  public void nextBytes(byte[] bytes) {
    ValueForm<byte[]> form =
        ValueForm.BYTES.where(drawn -> drawn.length == bytes.length, () -> "the Base64 of %d bytes"
            .formatted(bytes.length));
    byte[] drawn = next(form, random -> {
      byte[] made = new byte[bytes.length];
      random.nextBytes(made);
      return made;
    });
    System.arraycopy(drawn, 0, bytes, 0, bytes.length);
  }

  @Override
  public float nextFloat() {
    return next(floatFrom(0, 1), SplitMix64::nextFloat);
  }

  @Override
  public float nextFloat(float bound) {
    SplitMix64.requireRange(0.0, bound);
    return next(floatFrom(0, bound), random -> random.nextFloat(bound));
  }

  @Override
  public float nextFloat(float origin, float bound) {
    SplitMix64.requireRange((double) origin, bound);
    return next(floatFrom(origin, bound), random -> random.nextFloat(origin, bound));
  }

  @Override
  public double nextDouble() {
    return next(doubleFrom(0, 1), SplitMix64::nextDouble);
  }

  @Override
  public double nextDouble(double bound) {
    SplitMix64.requireRange(0.0, bound);
    return next(doubleFrom(0, bound), random -> random.nextDouble(bound));
  }

  @Override
  public double nextDouble(double origin, double bound) {
    SplitMix64.requireRange(origin, bound);
    return next(doubleFrom(origin, bound), random -> random.nextDouble(origin, bound));
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
    ValueForm<Double> form = ValueForm.DOUBLE.where(
        number -> number >= 0, () -> "a number with a fraction that is not negative");
    return next(form, SplitMix64::nextExponential);
  }

  private static ValueForm<Integer> intFrom(int origin, int bound) {
    return ValueForm.INT.where(
        number -> origin <= number && number < bound,
        () -> "an integer from %d to below %d".formatted(origin, bound));
  }

  private static ValueForm<Long> longFrom(long origin, long bound) {
    return ValueForm.LONG.where(
        number -> origin <= number && number < bound,
        () -> "an integer from %d to below %d".formatted(origin, bound));
  }

  private static ValueForm<Float> floatFrom(float origin, float bound) {
    return ValueForm.FLOAT.where(
        number -> origin <= number && number < bound,
        () -> "a number with a fraction from %s to below %s".formatted(origin, bound));
  }

  private static ValueForm<Double> doubleFrom(double origin, double bound) {
    return ValueForm.DOUBLE.where(
        number -> origin <= number && number < bound,
        () -> "a number with a fraction from %s to below %s".formatted(origin, bound));
  }
}
