package dev.agentreplay.model;

import java.time.Instant;
import java.time.LocalDate;

/**
 * Writes times of the years 0 to 9999 in the form of {@link Instant#toString}. Safe for use by
 * several threads.
 */
public final class TimeText {

  /** The length of the longest text, which has nine digits of a second. */
  public static final int MAX_LENGTH = "YYYY-MM-DDThh:mm:ss.nnnnnnnnnZ".length();

  private static final int SECONDS_PER_DAY = 86_400;
  private static final long FIRST_SECOND = firstSecond(0);
  private static final long LAST_SECOND = firstSecond(10_000) - 1;
  private static final int SECOND_LENGTH = "YYYY-MM-DDThh:mm:ss".length();

  /**
   * The second written last. Events are written in order of time, so most are in the same second as
   * the one before.
   */
  private static Second last = Second.of(0);

  private TimeText() {}

  private static long firstSecond(int year) {
    return LocalDate.of(year, 1, 1).toEpochDay() * SECONDS_PER_DAY;
  }

  /** Whether the year of a time has four digits and no sign. */
  public static boolean hasFourDigitYear(Instant instant) {
    long second = instant.getEpochSecond();
    return second >= FIRST_SECOND && second <= LAST_SECOND;
  }

  /**
   * Writes a time in UTC, with 0, 3, 6 or 9 digits of a second, in ASCII.
   *
   * @param out the array to write to, with room for {@link #MAX_LENGTH} bytes
   * @return the index after the last byte written
   */
  public static int write(Instant instant, byte[] out, int at) {
    Second second = last;
    if (second.number != instant.getEpochSecond()) {
      second = Second.of(instant.getEpochSecond());
      last = second;
    }
    System.arraycopy(second.text, 0, out, at, SECOND_LENGTH);
    int end = fraction(instant.getNano(), out, at + SECOND_LENGTH);
    out[end] = 'Z';
    return end + 1;
  }

  /** A second and its text. The number is counted from 1970; the array is never changed. */
  @SuppressWarnings("ArrayRecordComponent") // it is neither returned nor compared
  private record Second(long number, byte[] text) {

    static Second of(long number) {
      LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(number, SECONDS_PER_DAY));
      int ofDay = Math.floorMod(number, SECONDS_PER_DAY);
      byte[] text = new byte[SECOND_LENGTH];
      two(date.getYear() / 100, text, 0);
      two(date.getYear() % 100, text, 2);
      text[4] = '-';
      two(date.getMonthValue(), text, 5);
      text[7] = '-';
      two(date.getDayOfMonth(), text, 8);
      text[10] = 'T';
      two(ofDay / 3_600, text, 11);
      text[13] = ':';
      two(ofDay / 60 % 60, text, 14);
      text[16] = ':';
      two(ofDay % 60, text, 17);
      return new Second(number, text);
    }
  }

  /** The number of digits that are written for the nanoseconds of a second: 0, 3, 6 or 9. */
  static int fractionDigits(int nanos) {
    return nanos == 0 ? 0 : nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
  }

  private static int fraction(int nanos, byte[] out, int at) {
    int digits = fractionDigits(nanos);
    if (digits == 0) {
      return at;
    }
    out[at] = '.';
    three(nanos / 1_000_000, out, at + 1);
    if (digits > 3) {
      three(nanos / 1_000 % 1_000, out, at + 4);
    }
    if (digits > 6) {
      three(nanos % 1_000, out, at + 7);
    }
    return at + 1 + digits;
  }

  private static void two(int value, byte[] out, int at) {
    out[at] = (byte) ('0' + value / 10);
    out[at + 1] = (byte) ('0' + value % 10);
  }

  private static void three(int value, byte[] out, int at) {
    out[at] = (byte) ('0' + value / 100);
    two(value % 100, out, at + 1);
  }
}
