package dev.agentreplay.model;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A point in time that keeps its text: ISO 8601 date and time with {@code Z} or an offset, and 0 to
 * 9 fraction digits. Two timestamps are equal when their texts are; compare {@link #instant()} to
 * compare points in time. Immutable and safe for use by several threads.
 */
public final class Timestamp {

  private static final String FORM = "YYYY-MM-DDThh:mm:ss[.fraction](Z|+hh:mm)";
  private static final int DATE_TIME_LENGTH = "YYYY-MM-DDThh:mm:ss".length();
  private static final int MAX_OFFSET_SECONDS = 18 * 3_600;
  private static final int NO_OFFSET = Integer.MAX_VALUE;

  /** The length of the longest text, in characters. */
  public static final int MAX_LENGTH = "YYYY-MM-DDThh:mm:ss.nnnnnnnnn+hh:mm".length();

  private final Instant instant;

  /**
   * The text; null in a time that was not parsed until the first call of {@link #text()}. Threads
   * that race compute equal texts.
   */
  private @Nullable String text;

  private Timestamp(@Nullable String text, Instant instant) {
    this.text = text;
    this.instant = instant;
  }

  /**
   * Parses a timestamp.
   *
   * @throws IllegalArgumentException if the text has another form, or the date or time does not
   *     exist
   */
  public static Timestamp parse(String text) {
    Timestamp timestamp = tryParse(text);
    if (timestamp == null) {
      throw notATime(text);
    }
    return timestamp;
  }

  /** Like {@link #parse}, but returns null if the text is not a timestamp. */
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
      return null; // a date that does not exist, such as 31 February
    }
    long seconds = day * 86_400 + hour * 3_600L + minute * 60L + second - offset;
    return new Timestamp(text, Instant.ofEpochSecond(seconds, nanos));
  }

  /**
   * Creates a timestamp in UTC, with 0, 3, 6 or 9 fraction digits as needed.
   *
   * @throws IllegalArgumentException if the year is not between 0 and 9999
   */
  public static Timestamp of(Instant instant) {
    if (!TimeText.hasFourDigitYear(instant)) {
      throw notATime(instant.toString());
    }
    return new Timestamp(null, instant);
  }

  /** The text of this timestamp; if it was parsed, the original text. */
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
   * Writes the text into an array, in ASCII, without creating a string.
   *
   * @param target the array to write to, with room for the text, which is at most
   *     {@link #MAX_LENGTH} long
   * @return the index after the last byte written
   * @throws IndexOutOfBoundsException if there is no room; part of the text may have been written
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

  /** The point in time. */
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

  /** The text of this timestamp; if it was parsed, the original text. */
  @Override
  public String toString() {
    return text();
  }

  private static IllegalArgumentException notATime(String text) {
    return new IllegalArgumentException("not a time of the form " + FORM + ": " + text);
  }

  /**
   * The offset of a zone in seconds, at most 18 hours as in {@link java.time.ZoneOffset};
   * {@link #NO_OFFSET} if the text is not a zone.
   */
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

  /** The value of two digits, or -1 if the characters are not digits. */
  private static int twoDigits(String text, int at) {
    char tens = text.charAt(at);
    char ones = text.charAt(at + 1);
    return isDigit(tens) && isDigit(ones) ? (tens - '0') * 10 + ones - '0' : -1;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
