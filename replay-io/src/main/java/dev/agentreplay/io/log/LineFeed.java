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

  private LineFeed() {}

  /** The index of the first line feed in a range of an array; -1 if there is none. */
  static int indexOf(byte[] bytes, int from, int to) {
    int i = from;
    for (; i <= to - 2 * Long.BYTES; i += 2 * Long.BYTES) {
      long first = feeds(bytes, i);
      long second = feeds(bytes, i + Long.BYTES);
      if ((first | second) != 0) {
        return first != 0 ? i + index(first) : i + Long.BYTES + index(second);
      }
    }
    for (; i < to; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** A word whose lowest set bit is in the first byte that is a line feed. */
  private static long feeds(byte[] bytes, int at) {
    long zeros = (long) LONGS.get(bytes, at) ^ FEEDS;
    return (zeros - ONES) & ~zeros & HIGH_BITS;
  }

  private static int index(long feeds) {
    return Long.numberOfTrailingZeros(feeds) / Byte.SIZE;
  }
}
