package dev.agentreplay.io;

import java.util.Arrays;

/** Numbers, as many as there is memory for. */
final class LongList {

  private static final int MAX_ARRAY_SIZE = Integer.MAX_VALUE - 8;

  private long[] values = new long[256];
  private int size;

  /** Adds a number. Returns whether there was room for it. */
  boolean add(long value) {
    if (size == values.length) {
      if (size == MAX_ARRAY_SIZE) {
        return false;
      }
      values = Arrays.copyOf(values, (int) Math.min(size * 3L / 2, MAX_ARRAY_SIZE));
    }
    values[size++] = value;
    return true;
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
