package dev.agentreplay.io.context;

import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The values of one lane: each source has its ordinals and its random stream. A value is computed,
 * recorded and counted under the lock of its source, so that the ordinals of a source ascend in the
 * recording. Safe for use by several threads.
 */
final class LaneValues {

  private final @Nullable String lane;
  private final long seed;
  private final ContextValues values;
  private final ContextPosition start;
  private final Map<String, Source> sources = new ConcurrentHashMap<>();

  /**
   * Creates the values of a lane.
   *
   * @param lane the name of the lane; null for the main one
   * @param start the position after which they continue; does not change
   */
  LaneValues(@Nullable String lane, long seed, ContextValues values, ContextPosition start) {
    this.lane = lane;
    this.seed = seed;
    this.values = values;
    this.start = start;
  }

  @Nullable
  String lane() {
    return lane;
  }

  /** Computes a live value. */
  interface Draft<T extends @Nullable Object> {

    /**
     * Returns the live value, the same one for the same arguments if it is deterministic.
     *
     * @param random the random numbers of this value alone
     */
    T make(long ordinal, SplitMix64 random) throws IOException;
  }

  /** Returns the next value of a source whose live values need no input or output. */
  <T extends @Nullable Object> T next(String name, ValueForm<T> form, Draft<T> draft) {
    try {
      return read(name, form, draft);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the next value of a source. */
  <T extends @Nullable Object> T read(String name, ValueForm<T> form, Draft<T> draft)
      throws IOException {
    return source(name).next(form, null, draft);
  }

  /**
   * Returns the version of a part, which is recorded once.
   *
   * @param min the version of a recording without one
   * @param max the version while recording
   */
  int version(String id, int min, int max) {
    Predicate<Integer> isSupported = version -> min <= version && version <= max;
    ValueForm<Integer> form =
        ValueForm.INT.where(isSupported, () -> "a version from %d to %d".formatted(min, max));
    Source source = source(RecordedValue.VERSION_PREFIX + id);
    source.lock.lock();
    try {
      JsonValue known = source.version;
      if (known == null) {
        int version = source.next(form, JsonNumber.of(min), (ordinal, random) -> max);
        source.version = JsonNumber.of(version);
        return version;
      }
      int version = ValueForm.INT.fromJson(known);
      if (isSupported.test(version)) {
        return version;
      }
      return source.next(form, null, (ordinal, random) -> { // so that a replay reports the request
        throw new IllegalStateException(
            "version %d of \"%s\" was recorded, but the agent supports only %d to %d"
                .formatted(version, id, min, max));
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      source.lock.unlock();
    }
  }

  private Source source(String name) {
    return sources.computeIfAbsent(name, Source::new);
  }

  private final class Source {
    private final String name;
    private final long key;
    private final ReentrantLock lock = new ReentrantLock();
    private long next;
    private @Nullable JsonValue version;

    Source(String name) {
      this.name = name;
      this.key = SplitMix64.key(seed, lane, name);
      this.next = start.next(lane, name);
      this.version = start.version(lane, name);
    }

    <T extends @Nullable Object> T next(
        ValueForm<T> form, @Nullable JsonValue ifUnrecorded, Draft<T> draft) throws IOException {
      lock.lock();
      try {
        long ordinal = next;
        T value = values.value(
            new ValueRequest(lane, name, ordinal, ifUnrecorded),
            form,
            () -> draft.make(ordinal, SplitMix64.of(key, ordinal)));
        next = ordinal + 1;
        return value;
      } finally {
        lock.unlock();
      }
    }
  }
}
