package dev.agentreplay.canonical;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of objects made from short ASCII texts without control characters. It avoids
 * making the same object again for recurring texts; a new entry may replace an older one. Not safe
 * for use by several threads.
 */
final class TextCache<T> {

  /** The maximum length in bytes of a text in the cache. */
  static final int MAX_LENGTH = 24;

  private static final VarHandle LONG = JsonScanner.LONG;
  private static final int SIZE = 512;
  private static final int WORDS = MAX_LENGTH / Long.BYTES;
  private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

  private final long[] words = new long[SIZE * WORDS];
  private final @Nullable Object[] made = new Object[SIZE];

  /** The text of the last lookup, padded with zeros, and its slot. */
  private long first;

  private long second;
  private long third;
  private int slot;

  /** The object made from a text; null if the cache does not contain it. */
  @SuppressWarnings("unchecked") // only put adds entries
  @Nullable
  T find(byte[] bytes, int from, int to) {
    first = word(bytes, from, to);
    second = word(bytes, from + Long.BYTES, to);
    third = word(bytes, from + 2 * Long.BYTES, to);
    long hash = (first ^ Long.rotateLeft(second, 21) ^ Long.rotateLeft(third, 42)) * MIX;
    slot = (int) (hash >>> 48) & (SIZE - 1);
    int at = slot * WORDS;
    boolean known = words[at] == first && words[at + 1] == second && words[at + 2] == third;
    return known ? (T) made[slot] : null;
  }

  /** Caches the object made from the text of the last lookup. */
  void put(T value) {
    int at = slot * WORDS;
    words[at] = first;
    words[at + 1] = second;
    words[at + 2] = third;
    made[slot] = value;
  }

  private static long word(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length <= 0) {
      return 0;
    }
    if (from + Long.BYTES <= bytes.length) {
      long word = (long) LONG.get(bytes, from);
      return length >= Long.BYTES ? word : word & ((1L << (length * Byte.SIZE)) - 1);
    }
    long word = 0;
    for (int i = to - 1; i >= from; i--) {
      word = (word << Byte.SIZE) | bytes[i];
    }
    return word;
  }
}
