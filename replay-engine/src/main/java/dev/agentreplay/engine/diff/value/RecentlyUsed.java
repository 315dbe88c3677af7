package dev.agentreplay.engine.diff.value;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache with a maximum weight, which evicts the least recently used entries (LRU). A value that
 * weighs more than the maximum is cached alone. Not safe for use by several threads.
 */
public final class RecentlyUsed<K, V> {

  private record Entry<V>(V value, long weight) {}

  private final long maxWeight;
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long weight;

  public RecentlyUsed(long maxWeight) {
    this.maxWeight = maxWeight;
  }

  @Nullable
  public V get(K key) {
    Entry<V> entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  /** Evicts entries until there is room for a weight, before the value is created. */
  void makeRoom(long needed) {
    Iterator<Entry<V>> oldest = entries.values().iterator();
    while (oldest.hasNext() && weight + needed > maxWeight) {
      weight -= oldest.next().weight();
      oldest.remove();
    }
  }

  /** Caches the value of a key that does not have one. */
  public void put(K key, V value, long valueWeight) {
    makeRoom(valueWeight);
    entries.put(key, new Entry<>(value, valueWeight));
    weight += valueWeight;
  }
}
