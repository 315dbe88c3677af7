package dev.agentreplay.io.context;

import java.time.Instant;
import java.util.UUID;

/** Generates UUIDs (RFC 9562) and ULIDs from random numbers that are not for secrets. */
final class GeneratedId {

  private static final long MAX_MILLIS = (1L << 48) - 1;
  private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private GeneratedId() {}

  /** A random UUID, version 4. */
  static UUID v4(SplitMix64 random) {
    return uuid(random.nextLong(), 4, random.nextLong());
  }

  /** A UUID with the time in milliseconds, version 7. */
  static UUID v7(Instant time, SplitMix64 random) {
    return uuid(millis(time) << 16 | random.nextLong() >>> 48, 7, random.nextLong());
  }

  private static UUID uuid(long high, int version, long low) {
    return new UUID((high & ~0xf000L) | ((long) version << 12), (low >>> 2) | Long.MIN_VALUE);
  }

  /** A ULID: 48 bits of time and 80 random bits, in Crockford's Base32. */
  static String ulid(Instant time, SplitMix64 random) {
    StringBuilder text = new StringBuilder(26);
    append(text, millis(time), 10);
    append(text, random.nextLong(), 8);
    append(text, random.nextLong(), 8);
    return text.toString();
  }

  private static void append(StringBuilder text, long bits, int digits) {
    for (int i = digits - 1; i >= 0; i--) {
      text.append(CROCKFORD.charAt((int) (bits >>> (5 * i)) & 31));
    }
  }

  private static long millis(Instant time) {
    long millis = time.toEpochMilli();
    if (millis < 0 || millis > MAX_MILLIS) {
      throw new IllegalStateException("an id has no room for a time before 1970: " + time);
    }
    return millis;
  }
}
