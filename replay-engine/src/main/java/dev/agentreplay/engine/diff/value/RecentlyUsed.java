package dev.agentreplay.engine.diff.value;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was made of keys, up to a weight: what was not used for longest is forgotten
 * first. A value that weighs more than that is remembered alone. Not safe for use by several
 * threads.
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

  /** Forgets values until there is room for one of a weight, before it takes memory. */
  void makeRoom(long needed) {
    Iterator<Entry<V>> oldest = entries.values().iterator();
    while (oldest.hasNext() && weight + needed > maxWeight) {
      weight -= oldest.next().weight();
      oldest.remove();
    }
  }

  /** Remembers the value of a key that has none. */
  public void put(K key, V value, long valueWeight) {
    makeRoom(valueWeight);
    entries.put(key, new Entry<>(value, valueWeight));
    weight += valueWeight;
  }
}
