package dev.agentreplay.model;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
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
    if (text.length() > MAX_LENGTH) {
      return null;
    }
    byte[] ascii = text.getBytes(StandardCharsets.ISO_8859_1); // "?" for other characters
    return tryParse(ascii, 0, ascii.length, text);
  }

  /**
   * Parses a range of an array of text in UTF-8 like {@link #tryParse(String)}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public static @Nullable Timestamp tryParse(byte[] ascii, int from, int to) {
    Objects.checkFromToIndex(from, to, ascii.length);
    return tryParse(ascii, from, to, null);
  }

  private static @Nullable Timestamp tryParse(
      byte[] ascii, int from, int to, @Nullable String text) {
    int zone = from + DATE_TIME_LENGTH;
    int nanos = 0;
    int digits = 0;
    if (to <= zone) {
      return null;
    }
    if (ascii[zone] == '.') {
      for (zone++; zone < to && isDigit(ascii[zone]); zone++) {
        nanos = digits < 9 ? nanos * 10 + (ascii[zone] - '0') : nanos;
        digits++;
      }
      if (digits == 0 || digits > 9) {
        return null;
      }
      for (int i = digits; i < 9; i++) {
        nanos *= 10;
      }
    }
    int offset = offsetSeconds(ascii, zone, to);
    int century = twoDigits(ascii, from);
    int year = twoDigits(ascii, from + 2);
    int month = twoDigits(ascii, from + 5);
    int dayOfMonth = twoDigits(ascii, from + 8);
    int hour = twoDigits(ascii, from + 11);
    int minute = twoDigits(ascii, from + 14);
    int second = twoDigits(ascii, from + 17);
    boolean wellFormed = (century | year | month | dayOfMonth | hour | minute | second) >= 0
        && ascii[from + 4] == '-'
        && ascii[from + 7] == '-'
        && ascii[from + 10] == 'T'
        && ascii[from + 13] == ':'
        && ascii[from + 16] == ':';
    if (!wellFormed || hour > 23 || minute > 59 || second > 59 || offset == NO_OFFSET) {
      return null;
    }
    Day day = Day.of(century * 100 + year, month, dayOfMonth);
    if (day == null) {
      return null;
    }
    long seconds = day.number * 86_400 + hour * 3_600L + minute * 60L + second - offset;
    Instant instant = Instant.ofEpochSecond(seconds, nanos);
    if (text != null) {
      return new Timestamp(text, instant);
    }
    boolean isWrittenAgain = ascii[zone] == 'Z' && digits == TimeText.fractionDigits(nanos);
    return new Timestamp(
        isWrittenAgain ? null : new String(ascii, from, to - from, StandardCharsets.ISO_8859_1),
        instant);
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
  private static int offsetSeconds(byte[] ascii, int zone, int to) {
    int length = to - zone;
    int sign = length == 0 ? 0 : ascii[zone];
    if (sign == 'Z' && length == 1) {
      return 0;
    }
    if (length != "+hh:mm".length() || (sign != '+' && sign != '-')) {
      return NO_OFFSET;
    }
    int hours = twoDigits(ascii, zone + 1);
    int minutes = twoDigits(ascii, zone + 4);
    int seconds = hours * 3_600 + minutes * 60;
    if ((hours | minutes) < 0
        || ascii[zone + 3] != ':'
        || minutes > 59
        || seconds > MAX_OFFSET_SECONDS) {
      return NO_OFFSET;
    }
    return sign == '-' ? -seconds : seconds;
  }

  /** The value of two digits, or -1 if the characters are not digits. */
  private static int twoDigits(byte[] ascii, int at) {
    byte tens = ascii[at];
    byte ones = ascii[at + 1];
    return isDigit(tens) && isDigit(ones) ? (tens - '0') * 10 + ones - '0' : -1;
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  /** A day and its number, counted from 1970. */
  private record Day(int year, int month, int dayOfMonth, long number) {

    /** The day parsed last: most times of a log are of the same day as the one before. */
    private static Day last = new Day(1970, 1, 1, 0);

    /** A day; null if it does not exist, such as 31 February. */
    static @Nullable Day of(int year, int month, int dayOfMonth) {
      Day known = last;
      if (known.dayOfMonth != dayOfMonth || known.month != month || known.year != year) {
        try {
          long number = LocalDate.of(year, month, dayOfMonth).toEpochDay();
          known = new Day(year, month, dayOfMonth, number);
        } catch (DateTimeException e) {
          return null;
        }
        last = known;
      }
      return known;
    }
  }
}
