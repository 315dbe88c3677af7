package dev.agentreplay.io.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.Size;

/** Values survive their JSON form, in each canonical form, and depend on seed and lane alone. */
class ContextPropertiesTest {

  @Property
  void longs_survive(@ForAll long value) {
    assertSurvives(ValueForm.LONG, value);
  }

  @Property
  void integers_survive(@ForAll int value) {
    assertSurvives(ValueForm.INT, value);
  }

  @Property
  void doubles_that_a_generator_returns_survive(@ForAll long seed) {
    SplitMix64 random = new SplitMix64(seed);
    assertSurvives(ValueForm.DOUBLE, random.nextDouble());
    assertSurvives(ValueForm.DOUBLE, random.nextGaussian());
    assertSurvives(ValueForm.DOUBLE, random.nextExponential());
    assertSurvives(ValueForm.DOUBLE, random.nextDouble(-1e300, 1e300));
    assertSurvives(ValueForm.FLOAT, random.nextFloat());
    assertSurvives(ValueForm.FLOAT, random.nextFloat(-1e30f, 1e30f));
  }

  @Property
  void doubles_without_a_fraction_survive(@ForAll int number, @ForAll long large) {
    assertSurvives(ValueForm.DOUBLE, (double) number);
    assertSurvives(ValueForm.DOUBLE, (double) large);
    assertSurvives(ValueForm.FLOAT, (float) number);
    assertSurvives(ValueForm.FLOAT, (float) large);
  }

  @Property
  void times_and_durations_survive(
      @ForAll @LongRange(min = -31_557_014_167_219_200L, max = 31_556_889_864_403_199L)
          long seconds,
      @ForAll @IntRange(min = 0, max = 999_999_999) int nanos) {
    assertSurvives(ValueForm.INSTANT, Instant.ofEpochSecond(seconds, nanos));
    assertSurvives(ValueForm.DURATION, Duration.ofSeconds(seconds, nanos));
  }

  @Property
  void ids_survive(@ForAll long high, @ForAll long low) {
    assertSurvives(ValueForm.ID, new UUID(high, low));
    assertSurvives(ValueForm.ULID, GeneratedId.ulid(Instant.EPOCH, new SplitMix64(high)));
  }

  @Property
  void bytes_names_and_indexes_survive(
      @ForAll byte[] bytes,
      @ForAll List<@AlphaChars @NumericChars String> names,
      @ForAll List<Integer> indexes) {
    assertThat(restored(ValueForm.BYTES, bytes)).isEqualTo(bytes);
    assertSurvives(ValueForm.NAMES, names);
    assertSurvives(ValueForm.INDEXES, indexes);
  }

  @Property
  void numbers_of_a_range_are_in_it(@ForAll long seed, @ForAll long one, @ForAll long other) {
    SplitMix64 random = new SplitMix64(seed);
    long origin = Math.min(one, other);
    long bound = Math.max(one, other);
    if (origin < bound) {
      assertThat(random.nextLong(origin, bound)).isBetween(origin, bound - 1);
    }
    assertThat(random.nextInt(7)).isBetween(0, 6);
  }

  @Property
  void fractions_of_a_range_are_in_it(
      @ForAll long seed,
      @ForAll @DoubleRange(min = -Double.MAX_VALUE, max = Double.MAX_VALUE) double one,
      @ForAll @DoubleRange(min = -Double.MAX_VALUE, max = Double.MAX_VALUE) double other) {
    double origin = Math.min(one, other);
    double bound = Math.max(one, other);
    if (origin < bound) {
      double value = new SplitMix64(seed).nextDouble(origin, bound);
      assertThat(value).isGreaterThanOrEqualTo(origin).isLessThan(bound);
    }
  }

  /** SplittableRandom of the JDK is an independent implementation of SplitMix64. */
  @Property
  void generator_is_split_mix_64(@ForAll long seed) {
    SplittableRandom expected = new SplittableRandom(seed);
    SplitMix64 random = new SplitMix64(seed);
    for (int i = 0; i < 5; i++) {
      assertThat(random.nextLong()).isEqualTo(expected.nextLong());
    }
  }

  /** Without rejection the lower two thirds of this range would get 3 of 4 numbers. */
  @Example
  void numbers_of_a_large_range_are_uniform() {
    SplitMix64 random = new SplitMix64(42);
    long low = LongStream.generate(() -> random.nextLong(3L << 61))
        .limit(3_000)
        .filter(number -> number < 2L << 61)
        .count();
    assertThat(low).isBetween(1_900L, 2_100L);
  }

  /** Any name but a blank one, Unicode spaces included, which NotBlank takes for text. */
  @Provide
  Arbitrary<String> lanes() {
    return Arbitraries.strings().filter(name -> !name.isBlank());
  }

  @Property
  void same_seed_and_lane_give_the_same_values_whatever_other_lanes_do(
      @ForAll long seed,
      @ForAll("lanes") String lane,
      @ForAll("lanes") String other,
      @ForAll @Size(max = 20) List<@IntRange(min = 0, max = 4) Integer> requests) {
    ContextOptions options = ContextOptions.deterministic().withSeed(seed);
    DeterministicContext alone = DeterministicContext.of(options);
    DeterministicContext shared = DeterministicContext.of(options);
    for (int request : requests) {
      if (!other.equals(lane)) {
        value(shared.lane(other), request);
      }
      value(shared, request);
      assertThat(value(shared.lane(lane), request)).isEqualTo(value(alone.lane(lane), request));
    }
    assertThat(SplitMix64.key(seed, lane, "random"))
        .isNotEqualTo(SplitMix64.key(seed, null, "random"))
        .isNotEqualTo(SplitMix64.key(seed + 1, lane, "random"));
  }

  @Property
  void anything_else_is_refused_with_what_was_found(@ForAll boolean value) {
    JsonValue json = JsonValue.of(List.of(value));
    for (ValueForm<?> form : List.of(
        ValueForm.INSTANT,
        ValueForm.DURATION,
        ValueForm.LONG,
        ValueForm.INT,
        ValueForm.DOUBLE,
        ValueForm.FLOAT,
        ValueForm.BOOLEAN,
        ValueForm.BYTES,
        ValueForm.ID,
        ValueForm.ULID,
        ValueForm.VARIABLE,
        ValueForm.NAMES,
        ValueForm.INDEXES)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> form.fromJson(json))
          .withMessageEndingWith("found [" + value + "]");
    }
    for (Object wrong : List.of("1-1-1-1-1", "80000000000000000000000000", 0.1, 1L << 40)) {
      JsonValue other = JsonValue.of(wrong);
      assertThatIllegalArgumentException().isThrownBy(() -> ValueForm.ID.fromJson(other));
      assertThatIllegalArgumentException().isThrownBy(() -> ValueForm.ULID.fromJson(other));
      assertThatIllegalArgumentException().isThrownBy(() -> ValueForm.INT.fromJson(other));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueForm.FLOAT.fromJson(JsonValue.of(0.1)));
  }

  private static Object value(DeterministicContext context, int request) {
    return switch (request) {
      case 0 -> context.clock().instant();
      case 1 -> context.random().nextGaussian();
      case 2 -> context.uuidV4();
      case 3 -> context.shuffle(List.of(1, 2, 3, 4, 5, 6, 7));
      default -> context.ulid();
    };
  }

  private static <T> void assertSurvives(ValueForm<T> form, T value) {
    assertThat(restored(form, value)).isEqualTo(value);
    JsonValue json = form.toJson(value);
    String jcs = new String(CanonicalJson.JCS.bytes(json), StandardCharsets.UTF_8);
    assertThat(form.fromJson(JsonText.parse(jcs))).isEqualTo(value);
  }

  private static <T> T restored(ValueForm<T> form, T value) {
    String serde =
        new String(CanonicalJson.SERDE.bytes(form.toJson(value)), StandardCharsets.UTF_8);
    return form.fromJson(JsonText.parse(serde));
  }
}
