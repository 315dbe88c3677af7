package dev.agentreplay.canonical;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What was made of short texts of ASCII without controls, so that what comes again and again is
 * made once. Bounded: a text takes the place of another. Not safe for use by several threads.
 */
final class TextCache<T> {

  /** Longer texts are not kept. */
  static final int MAX_LENGTH = 24;

  private static final VarHandle LONG = JsonScanner.LONG;
  private static final int SIZE = 512;
  private static final int WORDS = MAX_LENGTH / Long.BYTES;
  private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

  private final long[] words = new long[SIZE * WORDS];
  private final @Nullable Object[] made = new Object[SIZE];

  /** The text that was asked for last, with zeros behind it, and its place. */
  private long first;

  private long second;
  private long third;
  private int slot;

  /** What was made of a text, or null where that is not known. */
  @SuppressWarnings("unchecked") // only put there by put
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

  /** Keeps what was made of the text that was asked for last. */
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
