package dev.agentreplay.verify;

import java.util.EnumMap;
import java.util.Map;

/** Counts per enum key, without boxing. */
final class Counts<K extends Enum<K>> {

  private static final class Count {
    long value;
  }

  private final Class<K> keys;
  private final Map<K, Count> counts;

  /** Creates counts that are all zero. */
  Counts(Class<K> keys) {
    this.keys = keys;
    this.counts = new EnumMap<>(keys);
  }

  /** Adds to a count, and returns the sum. */
  long add(K key, long amount) {
    return counts.computeIfAbsent(key, k -> new Count()).value += amount;
  }

  long get(K key) {
    Count count = counts.get(key);
    return count == null ? 0 : count.value;
  }

  /** Resets the count of a key. */
  void remove(K key) {
    counts.remove(key);
  }

  /** The counts of the keys that were counted. */
  Map<K, Long> toMap() {
    Map<K, Long> map = new EnumMap<>(keys);
    counts.forEach((key, count) -> map.put(key, count.value));
    return map;
  }
}
