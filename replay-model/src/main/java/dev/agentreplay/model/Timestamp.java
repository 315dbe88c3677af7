package dev.agentreplay.model;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A point in time as it was written: ISO 8601 date and time with {@code Z} or an offset, and 0 to 9
 * digits of a second. Equality is that of the text; {@link #instant()} compares times.
 */
public final class Timestamp {

  private static final String FORM = "YYYY-MM-DDThh:mm:ss[.fraction](Z|+hh:mm)";
  private static final int DATE_TIME_LENGTH = "YYYY-MM-DDThh:mm:ss".length();
  private static final int MAX_OFFSET_SECONDS = 18 * 3_600;
  private static final int NO_OFFSET = Integer.MAX_VALUE;

  /** The length of the longest text, in characters. */
  public static final int MAX_LENGTH = "YYYY-MM-DDThh:mm:ss.nnnnnnnnn+hh:mm".length();

  private final Instant instant;

  /** Null until it is asked for, in a time that was not read; safe to make more than once. */
  private @Nullable String text;

  private Timestamp(@Nullable String text, Instant instant) {
    this.text = text;
    this.instant = instant;
  }

  /**
   * Reads a timestamp.
   *
   * @throws IllegalArgumentException if the text has another form, or there is no such time
   */
  public static Timestamp parse(String text) {
    Timestamp timestamp = tryParse(text);
    if (timestamp == null) {
      throw notATime(text);
    }
    return timestamp;
  }

  /** Like {@link #parse}, but null if it is none. */
  public static @Nullable Timestamp tryParse(String text) {
    int zone = DATE_TIME_LENGTH;
    int nanos = 0;
    if (text.length() <= zone) {
      return null;
    }
    if (text.charAt(zone) == '.') {
      int digits = 0;
      for (zone++; zone < text.length() && isDigit(text.charAt(zone)); zone++) {
        nanos = digits < 9 ? nanos * 10 + (text.charAt(zone) - '0') : nanos;
        digits++;
      }
      if (digits == 0 || digits > 9) {
        return null;
      }
      for (int i = digits; i < 9; i++) {
        nanos *= 10;
      }
    }
    int offset = offsetSeconds(text, zone);
    int century = twoDigits(text, 0);
    int year = twoDigits(text, 2);
    int month = twoDigits(text, 5);
    int dayOfMonth = twoDigits(text, 8);
    int hour = twoDigits(text, 11);
    int minute = twoDigits(text, 14);
    int second = twoDigits(text, 17);
    boolean wellFormed = (century | year | month | dayOfMonth | hour | minute | second) >= 0
        && text.charAt(4) == '-'
        && text.charAt(7) == '-'
        && text.charAt(10) == 'T'
        && text.charAt(13) == ':'
        && text.charAt(16) == ':';
    if (!wellFormed || hour > 23 || minute > 59 || second > 59 || offset == NO_OFFSET) {
      return null;
    }
    long day;
    try {
      day = LocalDate.of(century * 100 + year, month, dayOfMonth).toEpochDay();
    } catch (DateTimeException e) {
      return null; // the 31st of February: not a time
    }
    long seconds = day * 86_400 + hour * 3_600L + minute * 60L + second - offset;
    return new Timestamp(text, Instant.ofEpochSecond(seconds, nanos));
  }

  /**
   * A time in UTC, with as many digits as it needs.
   *
   * @throws IllegalArgumentException outside the years 0 to 9999
   */
  public static Timestamp of(Instant instant) {
    if (!TimeText.hasFourDigitYear(instant)) {
      throw notATime(instant.toString());
    }
    return new Timestamp(null, instant);
  }

  /** As it was written. */
  public String text() {
    String known = text;
    if (known == null) {
      byte[] ascii = new byte[TimeText.MAX_LENGTH];
      known = new String(ascii, 0, writeTo(ascii, 0), StandardCharsets.ISO_8859_1);
      text = known;
    }
    return known;
  }

  /**
   * Writes the text into an array, in ASCII, and makes no string of it.
   *
   * @param target where to write; needs room for the text, which is at most {@link #MAX_LENGTH}
   *     long
   * @return where the text ends
   * @throws IndexOutOfBoundsException if there is no room; part of it may be written
   */
  @SuppressWarnings("deprecation") // all of its characters are ASCII
  public int writeTo(byte[] target, int from) {
    String known = text;
    if (known == null) {
      return TimeText.write(instant, target, from);
    }
    known.getBytes(0, known.length(), target, from);
    return from + known.length();
  }

  /** When it was. */
  public Instant instant() {
    return instant;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Timestamp that && text().equals(that.text());
  }

  @Override
  public int hashCode() {
    return text().hashCode();
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text();
  }

  private static IllegalArgumentException notATime(String text) {
    return new IllegalArgumentException("not a time of the form " + FORM + ": " + text);
  }

  /** The offset that a zone says; at most 18 hours, as {@link java.time.ZoneOffset} has it. */
  private static int offsetSeconds(String text, int zone) {
    int length = text.length() - zone;
    char sign = length == 0 ? 0 : text.charAt(zone);
    if (sign == 'Z' && length == 1) {
      return 0;
    }
    if (length != "+hh:mm".length() || (sign != '+' && sign != '-')) {
      return NO_OFFSET;
    }
    int hours = twoDigits(text, zone + 1);
    int minutes = twoDigits(text, zone + 4);
    int seconds = hours * 3_600 + minutes * 60;
    if ((hours | minutes) < 0
        || text.charAt(zone + 3) != ':'
        || minutes > 59
        || seconds > MAX_OFFSET_SECONDS) {
      return NO_OFFSET;
    }
    return sign == '-' ? -seconds : seconds;
  }

  /** The number of two digits, or -1 where there are none. */
  private static int twoDigits(String text, int at) {
    char tens = text.charAt(at);
    char ones = text.charAt(at + 1);
    return isDigit(tens) && isDigit(ones) ? (tens - '0') * 10 + ones - '0' : -1;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
