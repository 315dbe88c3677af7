package dev.agentreplay.io.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The form of a request: it restores the values that fit the request, and refuses all others. */
class FittingValuesTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String V4 = "132ad7b9-edce-4d2f-8f51-fda90e7bc999";
  private static final String V7 = "018cc251-f400-732a-8f51-fda90e7bc999";
  private static final String ULID = "01HK153X00Q7PWWQ9FMGWYY9K5";
  private static final long LARGE = 1L << 60;

  /**
   * A request.
   *
   * @param expected the words of its form
   * @param fitting recorded values that fit, with those at the limits
   * @param others recorded values that do not
   */
  private record Case(
      String name,
      Function<DeterministicContext, ?> request,
      String expected,
      List<?> fitting,
      List<?> others) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static Case random(
      String name,
      Function<RandomGenerator, ?> request,
      String expected,
      List<?> fitting,
      List<?> others) {
    return new Case(name, context -> request.apply(context.random()), expected, fitting, others);
  }

  private static List<Case> cases() {
    String fraction = "a number with a fraction";
    String integer = "an integer from 1 to below 3";
    List<?> inside = List.of(1, 2);
    List<?> outside = List.of(0, 3, 45, LARGE, 1.0, 1.5, "1.0", "1", true, "AQ==", List.of(1));
    return List.of(
        random("nextInt(1, 3)", r -> r.nextInt(1, 3), integer, inside, outside),
        random("nextLong(1, 3)", r -> r.nextLong(1, 3), integer, inside, outside),
        random(
            "nextInt(3)",
            r -> r.nextInt(3),
            "an integer from 0 to below 3",
            List.of(0, 2),
            List.of(-1, 3, 0.0, "0.0")),
        random(
            "nextLong(3)",
            r -> r.nextLong(3),
            "an integer from 0 to below 3",
            List.of(0, 2),
            List.of(-1, 3, 0.0, "0.0")),
        random(
            "nextLong()",
            RandomGenerator::nextLong,
            "an integer of 64 bits",
            List.of(0, -1, Long.toString(LARGE), Long.toString(Long.MIN_VALUE)),
            List.of("1234", "0.0", "AQ==", 0.5, 1e20)),
        random(
            "nextInt()",
            RandomGenerator::nextInt,
            "an integer of 32 bits",
            List.of(Integer.MIN_VALUE, Integer.MAX_VALUE),
            List.of(1L << 31, 2.0)),
        random(
            "nextDouble()",
            RandomGenerator::nextDouble,
            fraction + " from 0.0 to below 1.0",
            List.of("0.0", 0.0, 0.5),
            List.of(0, 1, 1.0, "1.0", -0.5, 45, false, "AQ==")),
        random(
            "nextDouble(9)",
            r -> r.nextDouble(9),
            fraction + " from 0.0 to below 9.0",
            List.of("8.0", 8.0),
            List.of(8, 9.0, "9.0", "8", "8.5", "8e0")),
        random(
            "nextDouble(2, 1e30)",
            r -> r.nextDouble(2, 1e30),
            fraction + " from 2.0 to below 1.0E30",
            List.of(JsonNumber.of("100000000000000000000"), 2.0),
            List.of(1.0, "1e+20", "1e10")),
        random(
            "nextFloat()",
            RandomGenerator::nextFloat,
            fraction + " from 0.0 to below 1.0",
            List.of("0.0", 0.25),
            List.of(0, 1.0, 0.1)),
        random(
            "nextFloat(9)",
            r -> r.nextFloat(9),
            fraction + " from 0.0 to below 9.0",
            List.of("8.0"),
            List.of(8, "9.0")),
        random(
            "nextFloat(8, 9)",
            r -> r.nextFloat(8, 9),
            fraction + " from 8.0 to below 9.0",
            List.of("8.0", 8.5),
            List.of(8, 7.5, "9.0")),
        random(
            "nextGaussian()",
            RandomGenerator::nextGaussian,
            fraction,
            List.of(-1.5, "3.0"),
            List.of(45, true)),
        random(
            "nextExponential()",
            RandomGenerator::nextExponential,
            fraction + " that is not negative",
            List.of("0.0", 7.5),
            List.of(-0.5, 7)),
        random(
            "nextBoolean()",
            RandomGenerator::nextBoolean,
            "true or false",
            List.of(true),
            List.of(0, 1, "true")),
        random(
            "nextBytes(3)",
            r -> bytes(r, 3),
            "the Base64 of 3 bytes",
            List.of("AQID"),
            List.of("AQI=", "AQIDBA==", "1.0", 1)),
        random(
            "nextBytes(2)",
            r -> bytes(r, 2),
            "the Base64 of 2 bytes",
            List.of("AQI="),
            List.of("AQI", "AQJ=", "AQID")),
        new Case(
            "uuidV4",
            DeterministicContext::uuidV4,
            "a UUID of version 4",
            List.of(V4),
            List.of(V7, ULID, V4.replace("-8f51-", "-cf51-"), 4)),
        new Case(
            "uuidV7",
            DeterministicContext::uuidV7,
            "a UUID of version 7",
            List.of(V7),
            List.of(V4, ULID)),
        new Case("ulid", DeterministicContext::ulid, "a ULID", List.of(ULID), List.of(V4, V7)),
        new Case(
            "jitter",
            c -> c.jitter(SECOND),
            "a duration from zero to PT1S",
            List.of("PT0S", "PT1S"),
            List.of("PT1.000000001S", "PT-1S", 1)),
        new Case(
            "delay",
            c -> c.delay(1, SECOND, Duration.ofHours(1)),
            "a duration from zero to PT2S",
            List.of("PT2S"),
            List.of("PT2.1S")),
        new Case(
            "shuffle",
            c -> c.shuffle(List.of("a", "b", "c")),
            "a permutation of the integers from 0 to below 3",
            List.of(List.of(2, 0, 1)),
            List.of(List.of(0, 1), List.of(3, 0, 1, 2), List.of(0, 0, 1), List.of(1, 2, 3))),
        new Case(
            "version",
            c -> c.version("v", 5, 9),
            "a version from 5 to 9",
            List.of(5, 9),
            List.of(1, 4, 10, 5.0, "5")));
  }

  private static List<Byte> bytes(RandomGenerator random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    List<Byte> all = new ArrayList<>();
    for (byte each : bytes) {
      all.add(each);
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void values_that_fit_are_restored(Case one) {
    for (Object fitting : one.fitting()) {
      assertThat(one.request().apply(recorded(fitting))).as("%s", fitting).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void values_that_do_not_fit_are_refused(Case one) {
    for (Object other : one.others()) {
      DeterministicContext context = recorded(other);
      assertThatIllegalArgumentException()
          .as("%s", other)
          .isThrownBy(() -> one.request().apply(context))
          .withMessage("expected %s, found %s", one.expected(), JsonValue.of(other));
    }
  }

  /** A value that a live context returns fits the same request in a replay. */
  @ParameterizedTest
  @MethodSource("cases")
  void live_values_fit(Case one) {
    for (long seed = 0; seed < 200; seed++) {
      List<JsonValue> seen = new ArrayList<>();
      ContextValues values = ContextValues.recorded((lane, value) -> seen.add(value.value()));
      ContextOptions options = ContextOptions.deterministic().withSeed(seed);
      Object live =
          one.request().apply(DeterministicContext.of(options, values, new ContextPosition()));

      assertThat(one.request().apply(recorded(seen.get(0)))).isEqualTo(live);
    }
  }

  @Test
  void a_variable_that_is_not_allowed_and_a_decided_version_are_requested_all_the_same() {
    List<String> requested = new ArrayList<>();
    ContextValues replay = new ContextValues() {
      @Override
      public <T extends @Nullable Object> T value(
          ValueRequest request, ValueForm<T> form, Live<T> live) {
        requested.add(request.source());
        if (requested.size() > 1) {
          throw new UnsupportedOperationException("of the replay");
        }
        return form.fromJson(JsonNumber.of(1));
      }
    };
    DeterministicContext context =
        DeterministicContext.of(ContextOptions.deterministic(), replay, new ContextPosition());

    assertThat(context.version("v", 0, 1)).isOne();
    assertThat(context.version("v", 1, 2)).isOne();
    assertThatThrownBy(() -> context.version("v", 5, 9)).hasMessage("of the replay");
    assertThatThrownBy(() -> context.environment("HOME")).hasMessage("of the replay");

    assertThat(requested).containsExactly("version:v", "version:v", "environment:HOME");
  }

  /** A context whose values are all the same recorded one. */
  private static DeterministicContext recorded(Object value) {
    ContextValues values = new ContextValues() {
      @Override
      public <T extends @Nullable Object> T value(
          ValueRequest request, ValueForm<T> form, Live<T> live) {
        return form.fromJson(JsonValue.of(value));
      }
    };
    return DeterministicContext.of(ContextOptions.deterministic(), values, new ContextPosition());
  }
}
