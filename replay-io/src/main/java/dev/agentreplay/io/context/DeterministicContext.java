package dev.agentreplay.io.context;

import dev.agentreplay.model.RecordedValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The source of everything nondeterministic that an agent needs: times, random numbers, ids, the
 * order of directory entries, environment variables, versions of its own code. While a session is
 * recorded, each value is a {@link RecordedValue} event with source, ordinal and value, so that a
 * replay can return the same one. With a seed and a clock other than that of the system, equal runs
 * get equal values.
 *
 * <pre>{@code
 * DeterministicContext context = recorder.context();
 * Instant now = context.clock().instant();
 * int port = context.random().nextInt(1_024, 65_536);
 * UUID request = context.uuidV4();
 * }</pre>
 *
 * <p>A context has lanes, one for each agent that runs in parallel: {@link #lane} returns that of a
 * sub-agent. Each lane has ordinals, a stepped clock and random streams of its own, derived from
 * the seed and its name: its values do not depend on other lanes. Likewise, a source does not
 * depend on other sources: an agent that draws one more random number gets the same ids as before.
 *
 * <p>A random value is computed from seed, lane, source and ordinal with SplitMix64, whose sequence
 * is the same on each JDK. None of these values is for secrets, such as keys, tokens or passwords:
 * they can be predicted, and the log contains them. Use {@link java.security.SecureRandom} for
 * secrets, and do not record those.
 *
 * <p>Safe for use by several threads. Threads that share a lane get its values in the order in
 * which they ask: for reproducible values each thread needs its own lane.
 *
 * <p>If a value cannot be recorded, and the failure policy of the recorder is to fail, the methods
 * throw: {@link #listDirectory} and {@link #glob} an {@link IOException}, the others an
 * {@link UncheckedIOException} with it. The value is not returned then; the next call requests the
 * same ordinal, and with a seed and a stepped clock gets the same value. If the policy is to
 * degrade, they return the value, and the log has a gap. With either policy, a value that is too
 * long for a line is refused with an {@link IllegalArgumentException}, and after the session has
 * ended, each method that records throws an {@link IllegalStateException}.
 *
 * <p>In a replay, a request with valid arguments gets a recorded value that fits it, or fails with
 * the exception of the replay, which reports it.
 */
public final class DeterministicContext {

  private final ContextOptions options;
  private final LaneValues values;
  private final Function<String, LaneValues> newLane;
  private final Map<String, DeterministicContext> lanes;
  private final RandomGenerator random;
  private final ClockReading time;

  private DeterministicContext(
      ContextOptions options,
      LaneValues values,
      Function<String, LaneValues> newLane,
      Map<String, DeterministicContext> lanes) {
    this.options = options;
    this.values = values;
    this.newLane = newLane;
    this.lanes = lanes;
    this.random = new RecordedRandom(values);
    this.time = new ClockReading(options.clock());
  }

  /**
   * Creates the main lane of a context that records nothing, as for a test.
   *
   * @param options the options; whether they record is ignored
   */
  public static DeterministicContext of(ContextOptions options) {
    return of(options, ContextValues.live(), new ContextPosition());
  }

  /**
   * Creates the main lane of a context. Agents get theirs from {@code SessionRecorder.context()}.
   *
   * @param options the options; whether they record is ignored in favor of {@code values}
   * @param values the seam through which each value passes
   * @param start the position in a recording after which the context continues
   */
  public static DeterministicContext of(
      ContextOptions options, ContextValues values, ContextPosition start) {
    Objects.requireNonNull(values, "values");
    Long given = options.seed();
    long seed = given == null ? new SplittableRandom().nextLong() : given;
    ContextPosition from = start.copy();
    Function<@Nullable String, LaneValues> newLane =
        lane -> new LaneValues(lane, seed, values, from);
    return new DeterministicContext(
        options, newLane.apply(null), lane -> newLane.apply(lane), new ConcurrentHashMap<>());
  }

  /** The name of the lane; null for the main one. */
  public @Nullable String laneName() {
    return values.lane();
  }

  /**
   * Returns the lane with a name, always the same one for the same name, also if another lane is
   * asked for it.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public DeterministicContext lane(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a lane needs a name, found \"" + name + "\"");
    }
    return lanes.computeIfAbsent(
        name, key -> new DeterministicContext(options, newLane.apply(key), newLane, lanes));
  }

  /**
   * The clock; each reading is a value of {@link RecordedValue#CLOCK}. {@code withZone} makes it a
   * {@link java.time.Clock}.
   */
  public InstantSource clock() {
    return () -> values.next(
        RecordedValue.CLOCK, ValueForm.INSTANT, (ordinal, bits) -> time.instant(ordinal));
  }

  /**
   * Returns a time in nanoseconds, as {@link System#nanoTime} does: only differences have a
   * meaning. A value of {@link RecordedValue#NANO_TIME}.
   */
  public long nanoTime() {
    return values.next(
        RecordedValue.NANO_TIME, ValueForm.LONG, (ordinal, bits) -> time.nanos(ordinal));
  }

  /**
   * The random numbers, which are not for secrets; the result of each method is one value of
   * {@link RecordedValue#RANDOM}. Safe for use by several threads.
   */
  public RandomGenerator random() {
    return random;
  }

  /**
   * Generates a random UUID (RFC 9562, version 4), which is not for secrets: it can be predicted. A
   * value of {@link RecordedValue#ID}.
   */
  public UUID uuidV4() {
    return values.next(RecordedValue.ID, uuid(4), (ordinal, bits) -> GeneratedId.v4(bits));
  }

  /**
   * Generates a UUID that begins with the time in milliseconds (RFC 9562, version 7), which is not
   * for secrets: it can be predicted. A value of {@link RecordedValue#ID}; its time is not also a
   * value of the clock.
   *
   * @throws IllegalStateException if the time of the clock is before 1970
   */
  public UUID uuidV7() {
    return values.next(
        RecordedValue.ID, uuid(7), (ordinal, bits) -> GeneratedId.v7(time.instant(ordinal), bits));
  }

  /**
   * Generates a ULID, an id of 26 characters that begins with the time in milliseconds, which is
   * not for secrets: it can be predicted. A value of {@link RecordedValue#ID}; its time is not also
   * a value of the clock.
   *
   * @throws IllegalStateException if the time of the clock is before 1970
   */
  public String ulid() {
    return values.next(
        RecordedValue.ID,
        ValueForm.ULID,
        (ordinal, bits) -> GeneratedId.ulid(time.instant(ordinal), bits));
  }

  /**
   * Returns a random duration from zero to a maximum, to be added to a delay. The caller waits. A
   * value of {@link RecordedValue#JITTER}.
   *
   * @throws IllegalArgumentException if the maximum is negative, or longer than 292 years
   */
  public Duration jitter(Duration max) {
    long nanos = nanos("max", max);
    return values.next(
        RecordedValue.JITTER, durationTo(nanos), (ordinal, bits) -> upTo(nanos, bits));
  }

  /**
   * Returns the delay before an attempt is repeated: exponential backoff with full jitter, a random
   * duration from zero to {@code base * 2^attempt}, at most the maximum. The caller waits. A value
   * of {@link RecordedValue#DELAY}.
   *
   * @param attempt the number of failed attempts before the last one, from 0
   * @throws IllegalArgumentException if an argument is negative, or a duration is longer than 292
   *     years
   */
  public Duration delay(int attempt, Duration base, Duration max) {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt must not be negative: " + attempt);
    }
    long first = nanos("base", base);
    long most = nanos("max", max);
    boolean isMost = attempt >= Long.SIZE - 1 || first > most >> attempt;
    long nanos = isMost && first > 0 ? most : first << attempt;
    return values.next(
        RecordedValue.DELAY, durationTo(nanos), (ordinal, bits) -> upTo(nanos, bits));
  }

  /**
   * Returns a list with the elements in random order. The permutation is a value of
   * {@link RecordedValue#SHUFFLE}: for each element of the returned list its index in the given
   * one.
   *
   * @return an unmodifiable list
   */
  public <T extends @Nullable Object> List<T> shuffle(List<T> list) {
    List<T> given = new ArrayList<>(list);
    int size = given.size();
    ValueForm<List<Integer>> form = ValueForm.INDEXES.where(
        order -> order.stream().sorted().toList().equals(indexes(size)),
        () -> "a permutation of the integers from 0 to below %d".formatted(size));
    List<Integer> order =
        values.next(RecordedValue.SHUFFLE, form, (ordinal, bits) -> permutation(size, bits));
    return order.stream().map(given::get).toList();
  }

  /**
   * Returns the names of the entries of a directory, in the order of their code points. A value of
   * {@link RecordedValue#DIRECTORY}; the path of the directory is not recorded. A failure to read
   * it is thrown, and is not a value.
   *
   * @throws IllegalArgumentException if a name has no UTF-8 form, and is to be recorded
   */
  public List<String> listDirectory(Path directory) throws IOException {
    return values.read(
        RecordedValue.DIRECTORY,
        ValueForm.NAMES,
        (ordinal, bits) -> DirectoryNames.list(directory));
  }

  /**
   * Returns the relative paths of the files and directories below a directory that match a pattern,
   * with {@code /} between names, in the order of their code points. Symbolic links are not
   * followed. A value of {@link RecordedValue#GLOB}; neither the path of the directory nor the
   * pattern is recorded. A failure to read a directory is thrown, and is not a value.
   *
   * @param pattern a glob, as {@link java.nio.file.FileSystem#getPathMatcher} specifies, which
   *     matches relative paths: <code>*.java</code> only those in the directory itself
   * @throws IllegalArgumentException if the pattern is invalid, or a name has no UTF-8 form and is
   *     to be recorded
   */
  public List<String> glob(Path directory, String pattern) throws IOException {
    return values.read(
        RecordedValue.GLOB,
        ValueForm.NAMES,
        (ordinal, bits) -> DirectoryNames.glob(directory, pattern));
  }

  /**
   * Returns the value of an environment variable; null if it is not set. A value of the source
   * {@link RecordedValue#ENVIRONMENT_PREFIX} with the name: do not allow variables with secrets.
   *
   * @throws IllegalArgumentException if {@link ContextOptions#environment} does not have the name,
   *     and the value is not that of a recording
   */
  public @Nullable String environment(String name) {
    return values.next(
        RecordedValue.ENVIRONMENT_PREFIX + name,
        ValueForm.VARIABLE,
        (ordinal, bits) -> variable(name));
  }

  private @Nullable String variable(String name) {
    if (!options.environment().contains(name)) {
      throw new IllegalArgumentException(
          "the environment variable \"%s\" is not allowed: allow it with ContextOptions.withEnvironment(%s)"
              .formatted(name, "\"" + name + "\""));
    }
    return System.getenv(name);
  }

  /**
   * Returns the version of a part of the agent's code, so that a changed agent can replay older
   * recordings: the agent branches on it, and keeps the code of each version from the minimum to
   * the maximum. While recording it is the maximum, recorded once for each id and lane, as a value
   * of the source {@link RecordedValue#VERSION_PREFIX} with the id; later calls, also in a resumed
   * session, return the recorded version. A replay returns the recorded version, and the minimum
   * for a recording that was made before the code asked for this version.
   *
   * <pre>{@code
   * boolean asksFirst = recorder.context().version("ask-before-edit", 0, 1) >= 1;
   * }</pre>
   *
   * @param id the id of the part; a change of the part changes its maximum, not its id
   * @param min the earliest version that the code supports
   * @param max the current version
   * @throws IllegalArgumentException if the id is blank, or the minimum is greater than the maximum
   * @throws IllegalStateException if the version that this session recorded before is not from the
   *     minimum to the maximum
   */
  public int version(String id, int min, int max) {
    if (id.isBlank() || min > max) {
      throw new IllegalArgumentException(
          "a version needs an id, and min must not be greater than max: \"%s\", from %d to %d"
              .formatted(id, min, max));
    }
    return values.version(id, min, max);
  }

  private static long nanos(String name, Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative: " + duration);
    }
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(name + " must be at most 292 years: " + duration, e);
    }
  }

  private static ValueForm<UUID> uuid(int version) {
    return ValueForm.ID.where(
        id -> id.version() == version && id.variant() == 2, () -> "a UUID of version " + version);
  }

  private static ValueForm<Duration> durationTo(long nanos) {
    Duration max = Duration.ofNanos(nanos);
    return ValueForm.DURATION.where(
        duration -> !duration.isNegative() && duration.compareTo(max) <= 0,
        () -> "a duration from zero to " + max);
  }

  private static Duration upTo(long nanos, SplitMix64 bits) {
    return Duration.ofNanos(bits.nextLong(0, Math.min(nanos, Long.MAX_VALUE - 1) + 1));
  }

  private static List<Integer> permutation(int size, SplitMix64 bits) {
    List<Integer> order = new ArrayList<>(indexes(size));
    for (int i = size - 1; i > 0; i--) {
      order.set(i, order.set(bits.nextInt(i + 1), order.get(i)));
    }
    return order;
  }

  private static List<Integer> indexes(int size) {
    return IntStream.range(0, size).boxed().toList();
  }
}
