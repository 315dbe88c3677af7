package dev.agentreplay.io.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds line feeds, eight bytes at a time. */
final class LineFeed {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long FEEDS = 0x0a0a0a0a0a0a0a0aL;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  /** The number of bytes that are searched at a time. */
  private static final int STEP = 4 * Long.BYTES;

  private LineFeed() {}

  /** The index of the first line feed in a range of an array; -1 if there is none. */
  static int indexOf(byte[] bytes, int from, int to) {
    int i = from;
    while (i <= to - STEP && !hasFeed(bytes, i)) {
      i += STEP;
    }
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long feeds = feeds(bytes, i);
      if (feeds != 0) {
        return i + Long.numberOfTrailingZeros(feeds) / Byte.SIZE;
      }
    }
    for (; i < to; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Whether a line feed is among the next bytes. */
  private static boolean hasFeed(byte[] bytes, int at) {
    return (feeds(bytes, at)
            | feeds(bytes, at + Long.BYTES)
            | feeds(bytes, at + 2 * Long.BYTES)
            | feeds(bytes, at + 3 * Long.BYTES))
        != 0;
  }

  /** A word whose lowest set bit is in the first byte that is a line feed. */
  private static long feeds(byte[] bytes, int at) {
    long zeros = (long) LONGS.get(bytes, at) ^ FEEDS;
    return (zeros - ONES) & ~zeros & HIGH_BITS;
  }
}
