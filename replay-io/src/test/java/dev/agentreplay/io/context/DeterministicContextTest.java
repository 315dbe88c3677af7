package dev.agentreplay.io.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeterministicContextTest {

  private static final ContextOptions OPTIONS = ContextOptions.deterministic();
  private static final Duration SECOND = Duration.ofSeconds(1);

  private record Seen(@Nullable String lane, RecordedValue value) {}

  private final List<Seen> seen = new ArrayList<>();
  private final DeterministicContext context = recorded(OPTIONS, new ContextPosition());

  @TempDir
  private Path directory;

  @Test
  void value_is_recorded_with_source_and_ordinal_before_it_is_returned() {
    Instant first = context.clock().instant();
    int number = context.random().nextInt(10);
    context.clock().millis();
    UUID id = context.uuidV7();

    assertThat(seen)
        .containsExactly(
            seen(null, "clock", 0, first.toString()),
            seen(null, "random", 0, number),
            seen(null, "clock", 1, "2024-01-01T00:00:01Z"),
            seen(null, "id", 0, id.toString()));
  }

  @Test
  void lane_has_its_own_ordinals_and_values() {
    DeterministicContext worker = context.lane("worker");
    long own = context.random().nextLong();
    long others = worker.random().nextLong();

    assertThat(others).isNotEqualTo(own);
    assertThat(worker.clock().instant()).isEqualTo(ContextClock.DEFAULT_START);
    assertThat(context.laneName()).isNull();
    assertThat(worker.laneName()).isEqualTo("worker");
    assertThat(seen).extracting(Seen::lane).containsExactly(null, "worker", "worker");
    assertThat(seen).extracting(one -> one.value().ordinal()).containsOnly(0L);
  }

  @Test
  void lane_is_the_same_for_the_same_name_from_every_lane() {
    assertThat(context.lane("a").lane("b")).isSameAs(context.lane("b"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.lane(" "))
        .withMessage("a lane needs a name, found \" \"");
  }

  @Test
  void values_of_a_source_do_not_depend_on_other_sources_and_lanes() {
    DeterministicContext other = DeterministicContext.of(OPTIONS);
    context.clock().instant();
    context.lane("worker").ulid();
    context.random().nextGaussian();

    assertThat(context.ulid()).isEqualTo(other.ulid());
  }

  @Test
  void seed_changes_the_values_and_none_makes_them_differ_in_each_run() {
    long value = DeterministicContext.of(OPTIONS).random().nextLong();

    assertThat(DeterministicContext.of(OPTIONS.withSeed(43L)).random().nextLong())
        .isNotEqualTo(value);
    ContextOptions unseeded = OPTIONS.withSeed(null);
    assertThat(DeterministicContext.of(unseeded).random().nextLong())
        .isNotEqualTo(DeterministicContext.of(unseeded).random().nextLong());
  }

  @Test
  void clock_is_that_of_the_system_by_default() {
    DeterministicContext live = DeterministicContext.of(ContextOptions.defaults());
    Instant before = Instant.now();
    Instant time = live.clock().withZone(ZoneOffset.UTC).instant();
    assertThat(time).isBetween(before, Instant.now());
    long nanos = System.nanoTime();
    assertThat(live.nanoTime() - nanos).isNotNegative();
    assertThat(live.uuidV7().getMostSignificantBits() >>> 16)
        .isBetween(before.toEpochMilli(), System.currentTimeMillis());
  }

  @Test
  void frozen_clock_never_advances() {
    Instant noon = Instant.parse("2026-01-13T12:00:00.000000001Z");
    DeterministicContext frozen =
        DeterministicContext.of(OPTIONS.withClock(ContextClock.frozen(noon)));
    assertThat(List.of(frozen.clock().instant(), frozen.clock().instant())).containsOnly(noon);
    assertThat(List.of(frozen.nanoTime(), frozen.nanoTime())).containsOnly(0L);
  }

  @Test
  void stepped_clock_has_its_start_and_step() {
    Instant noon = Instant.parse("2026-01-13T12:00:00Z");
    DeterministicContext stepped = DeterministicContext.of(
        OPTIONS.withClock(ContextClock.stepped(noon, Duration.ofMillis(5))));
    stepped.clock().instant();
    stepped.nanoTime();
    assertThat(stepped.clock().instant()).isEqualTo(noon.plusMillis(5));
    assertThat(stepped.nanoTime()).isEqualTo(5_000_000);
  }

  @Test
  void clocks_out_of_range_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContextClock.stepped(Instant.EPOCH, Duration.ZERO))
        .withMessage("step must be positive: PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SteppedClock.of(Instant.EPOCH, Duration.ofSeconds(-1)))
        .withMessage("step must be positive: PT-1S");
    assertThatIllegalArgumentException().isThrownBy(() -> ContextClock.frozen(Instant.MAX));
    DeterministicContext early = DeterministicContext.of(
        OPTIONS.withClock(ContextClock.frozen(Instant.EPOCH.minusMillis(1))));
    assertThatThrownBy(early::ulid)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("an id has no room for a time before 1970: 1969-12-31T23:59:59.999Z");
  }

  @Test
  void stepped_clock_of_events_advances_past_a_time_and_never_back() {
    SteppedClock clock = SteppedClock.of(Instant.EPOCH, Duration.ofMillis(1));
    assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
    clock.advancePast(Instant.EPOCH.plusSeconds(9));
    clock.advancePast(Instant.EPOCH.plusSeconds(5));
    assertThat(clock.withZone(ZoneOffset.MAX).instant()).isEqualTo("1970-01-01T00:00:09.001Z");
    assertThat(clock.instant()).isEqualTo("1970-01-01T00:00:09.002Z");
  }

  @Test
  void ids_have_version_variant_and_time() {
    UUID random = context.uuidV4();
    assertThat(List.of(random.version(), random.variant())).containsExactly(4, 2);
    UUID timed = context.uuidV7();
    assertThat(List.of(timed.version(), timed.variant())).containsExactly(7, 2);
    assertThat(timed.getMostSignificantBits() >>> 16)
        .isEqualTo(ContextClock.DEFAULT_START.plusSeconds(1).toEpochMilli());
    assertThat(context.ulid()).hasSize(26).isLessThan(context.ulid());
  }

  @Test
  void invalid_arguments_are_refused_and_record_nothing() {
    List<Consumer<DeterministicContext>> calls = List.of(
        c -> c.random().nextInt(0),
        c -> c.random().nextInt(3, 3),
        c -> c.random().nextLong(-1),
        c -> c.random().nextLong(5, 4),
        c -> c.random().nextDouble(0),
        c -> c.random().nextDouble(0, Double.NaN),
        c -> c.random().nextDouble(Double.NEGATIVE_INFINITY, 0),
        c -> c.random().nextFloat(-1),
        c -> c.random().nextFloat(2, 1),
        c -> c.random().nextGaussian(0, -1),
        c -> c.jitter(SECOND.negated()),
        c -> c.jitter(Duration.ofSeconds(Long.MAX_VALUE)),
        c -> c.delay(-1, SECOND, SECOND),
        c -> c.delay(0, SECOND.negated(), SECOND),
        c -> c.environment("PATH"),
        c -> c.version("", 0, 1),
        c -> c.version("part", 2, 1));
    for (Consumer<DeterministicContext> call : calls) {
      assertThatIllegalArgumentException().isThrownBy(() -> call.accept(context));
    }
    assertThat(seen).isEmpty();
    assertThat(context.random().nextLong())
        .isEqualTo(DeterministicContext.of(OPTIONS).random().nextLong());
  }

  @Test
  void streams_of_random_numbers_record_each_number() {
    int[] numbers = context.random().ints(3, 0, 10).toArray();

    assertThat(seen)
        .extracting(one -> one.value().value())
        .isEqualTo(Arrays.stream(numbers).mapToObj(JsonNumber::of).toList());
    assertThat(context.random().longs(2)).hasSize(2);
    assertThat(context.random().doubles(2)).hasSize(2);
    assertThat(seen).hasSize(7);
  }

  @Test
  void delay_doubles_up_to_the_maximum() {
    Duration max = Duration.ofSeconds(5);
    for (int attempt = 0; attempt < 100; attempt++) {
      Duration most = attempt < 3 ? SECOND.multipliedBy(1L << attempt) : max;
      assertThat(context.delay(attempt, SECOND, max)).isBetween(Duration.ZERO, most);
    }
    assertThat(context.delay(70, Duration.ZERO, max)).isZero();
    assertThat(context.jitter(Duration.ZERO)).isZero();
    assertThat(context.jitter(Duration.ofNanos(Long.MAX_VALUE))).isPositive();
  }

  @Test
  void shuffled_list_has_the_elements_and_its_permutation_is_recorded() {
    List<@Nullable String> list = Arrays.asList("a", null, "c");

    List<@Nullable String> shuffled = context.shuffle(list);

    assertThat(shuffled).containsExactlyInAnyOrder("a", null, "c");
    List<String> restored = new ArrayList<>();
    for (JsonValue index : seen.get(0).value().value().asArray()) {
      restored.add(list.get((int) index.asLong()));
    }
    assertThat(restored).isEqualTo(shuffled);
    assertThat(context.shuffle(List.of())).isEmpty();
  }

  @Test
  void directory_is_listed_in_the_order_of_code_points() throws IOException {
    for (String name : List.of("b", "B", "a10", "a9", "\uff5e", "\ud83d\ude00", "\u00e4")) {
      Files.createFile(directory.resolve(name));
    }

    List<String> names = context.listDirectory(directory);

    assertThat(names).containsExactly("B", "a10", "a9", "b", "\u00e4", "\uff5e", "\ud83d\ude00");
    assertThat(seen).containsExactly(seen(null, "directory", 0, names));
  }

  @Test
  void glob_matches_relative_paths_of_files_and_directories() throws IOException {
    for (String file : List.of("src/b/C.java", "src/A.java", "src/b/D.txt", "E.java")) {
      Files.createDirectories(directory.resolve(file).getParent());
      Files.createFile(directory.resolve(file));
    }

    assertThat(context.glob(directory, "src/**.java"))
        .containsExactly("src/A.java", "src/b/C.java");
    assertThat(context.glob(directory, "*")).containsExactly("E.java", "src");
    assertThat(context.glob(directory, "none")).isEmpty();
    assertThat(seen).extracting(one -> one.value().ordinal()).containsExactly(0L, 1L, 2L);
  }

  @Test
  void failure_to_read_a_directory_is_thrown_and_records_nothing() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> context.listDirectory(missing))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> context.glob(missing, "*")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> context.glob(directory, "["))
        .isInstanceOf(PatternSyntaxException.class);
    assertThatThrownBy(() -> context.glob(Files.createFile(missing), "*"))
        .isInstanceOf(NotDirectoryException.class);
    assertThat(seen).isEmpty();
  }

  @Test
  void environment_has_the_allowed_variables_only() {
    DeterministicContext allowed =
        recorded(OPTIONS.withEnvironment("PATH", "REPLAY_NOT_SET"), new ContextPosition());

    assertThat(allowed.environment("PATH")).isEqualTo(System.getenv("PATH"));
    assertThat(allowed.environment("REPLAY_NOT_SET")).isNull();
    assertThat(seen)
        .containsExactly(
            seen(null, "environment:PATH", 0, System.getenv("PATH")),
            seen(null, "environment:REPLAY_NOT_SET", 0, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allowed.environment("HOME"))
        .withMessageContaining("\"HOME\" is not allowed")
        .withMessageContaining("ContextOptions.withEnvironment(\"HOME\")");
  }

  @Test
  void version_is_recorded_once_for_each_id_and_lane() {
    assertThat(context.version("edit", 0, 3)).isEqualTo(3);
    assertThat(context.version("edit", 0, 4)).as("decided before").isEqualTo(3);
    assertThat(context.version("read", 1, 1)).isEqualTo(1);
    assertThat(context.lane("worker").version("edit", 0, 4)).isEqualTo(4);

    assertThat(seen)
        .containsExactly(
            seen(null, "version:edit", 0, 3),
            seen(null, "version:read", 0, 1),
            seen("worker", "version:edit", 0, 4));
    assertThatThrownBy(() -> context.version("edit", 4, 5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("version 3 of \"edit\" was recorded, but the agent supports only 4 to 5");
  }

  @Test
  void position_continues_ordinals_values_and_versions() {
    List<Object> uninterrupted = new ArrayList<>();
    List<Object> continued = new ArrayList<>();
    for (List<Object> values : List.of(uninterrupted, continued)) {
      seen.clear();
      DeterministicContext current = recorded(OPTIONS, new ContextPosition());
      for (int i = 0; i < 6; i++) {
        if (i == 3 && values == continued) {
          ContextPosition position = new ContextPosition();
          seen.forEach(one -> position.add(one.lane(), one.value()));
          current = recorded(OPTIONS, position);
        }
        values.add(current.random().nextGaussian());
        values.add(current.lane("worker").ulid());
        values.add(current.clock().instant());
        values.add(current.version("part", 0, i));
      }
      assertThat(seen).extracting(one -> one.value().ordinal()).contains(0L, 3L, 5L);
    }
    assertThat(continued).isEqualTo(uninterrupted);
  }

  @Test
  void recorded_version_that_is_not_an_integer_is_reported() {
    ContextPosition position = new ContextPosition();
    position.add(null, RecordedValue.of("version:part", 0, JsonValue.of("one")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> recorded(OPTIONS, position).version("part", 0, 1))
        .withMessage("expected an integer of 32 bits, found \"one\"");
  }

  @Test
  void value_that_cannot_be_recorded_is_requested_again_with_the_same_ordinal() throws IOException {
    boolean[] isFull = {true};
    DeterministicContext failing = DeterministicContext.of(
        OPTIONS,
        ContextValues.recorded((lane, value) -> {
          if (isFull[0]) {
            throw new IOException("full");
          }
          seen.add(new Seen(lane, value));
        }),
        new ContextPosition());
    assertThatThrownBy(failing::ulid)
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("full");
    assertThatThrownBy(() -> failing.version("part", 0, 1)).hasRootCauseMessage("full");
    assertThatThrownBy(() -> failing.listDirectory(directory))
        .isExactlyInstanceOf(IOException.class);
    isFull[0] = false;

    assertThat(failing.ulid()).isEqualTo(DeterministicContext.of(OPTIONS).ulid());
    assertThat(failing.version("part", 0, 2)).isEqualTo(2);
    assertThat(failing.listDirectory(directory)).isEmpty();
    assertThat(seen).extracting(one -> one.value().ordinal()).containsOnly(0L);
  }

  /** The smallest replay: it restores each value, and reads nothing live. */
  @Test
  void recorded_values_can_be_returned_instead_of_live_ones() throws IOException {
    List<Object> live = values(context);
    ContextValues replay = new ContextValues() {
      private int served;

      @Override
      public <T extends @Nullable Object> T value(
          ValueRequest request, ValueForm<T> form, Live<T> unused) {
        Seen recorded = seen.get(served++);
        assertThat(request.lane()).isEqualTo(recorded.lane());
        assertThat(request.source()).isEqualTo(recorded.value().source());
        assertThat(request.ordinal()).isEqualTo(recorded.value().ordinal());
        return form.fromJson(recorded.value().value());
      }
    };

    assertThat(values(DeterministicContext.of(
            ContextOptions.defaults().withEnvironment("PATH"), replay, new ContextPosition())))
        .isEqualTo(live);
  }

  @Test
  void version_that_no_recording_has_may_be_the_minimum() {
    ContextValues old = new ContextValues() {
      @Override
      public <T extends @Nullable Object> T value(
          ValueRequest request, ValueForm<T> form, Live<T> unused) {
        assertThat(request.ifUnrecorded()).isEqualTo(JsonNumber.of(1));
        return form.fromJson(request.ifUnrecorded());
      }
    };
    assertThat(DeterministicContext.of(OPTIONS, old, new ContextPosition()).version("part", 1, 4))
        .isEqualTo(1);
  }

  private List<Object> values(DeterministicContext from) throws IOException {
    byte[] bytes = new byte[5];
    from.random().nextBytes(bytes);
    return List.of(
        from.clock().instant(),
        from.nanoTime(),
        from.random().nextLong(),
        from.random().nextInt(),
        from.random().nextBoolean(),
        from.random().nextFloat(),
        from.random().nextDouble(),
        from.random().nextExponential(),
        Arrays.toString(bytes),
        from.uuidV4(),
        from.uuidV7(),
        from.lane("worker").ulid(),
        from.jitter(SECOND),
        from.delay(2, SECOND, SECOND),
        from.shuffle(List.of(1, 2, 3, 4, 5, 6)),
        from.listDirectory(directory),
        from.glob(directory, "**"),
        from.version("part", 0, 7));
  }

  private DeterministicContext recorded(ContextOptions options, ContextPosition position) {
    ContextValues values = ContextValues.recorded((lane, value) -> seen.add(new Seen(lane, value)));
    return DeterministicContext.of(options, values, position);
  }

  private static Seen seen(
      @Nullable String lane, String source, long ordinal, @Nullable Object value) {
    return new Seen(lane, RecordedValue.of(source, ordinal, JsonValue.of(value)));
  }
}
