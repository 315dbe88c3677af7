package dev.agentreplay.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A point in time as it was written: ISO 8601 date and time with {@code Z} or an offset, and 0 to 9
 * digits of a second. Equality is that of the text; {@link #instant()} compares times.
 */
public final class Timestamp {

  private static final String FORM = "YYYY-MM-DDThh:mm:ss[.fraction](Z|+hh:mm)";
  private static final int DATE_TIME_LENGTH = "YYYY-MM-DDThh:mm:ss".length();

  private final String text;
  private final Instant instant;

  private Timestamp(String text, Instant instant) {
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
      throw new IllegalArgumentException("not a time of the form " + FORM + ": " + text);
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
    for (int i = 0; i < DATE_TIME_LENGTH; i++) {
      char expected = "0000-00-00T00:00:00".charAt(i);
      if (expected == '0' ? !isDigit(text.charAt(i)) : text.charAt(i) != expected) {
        return null;
      }
    }
    try {
      ZoneOffset offset = offset(text.substring(zone));
      LocalDateTime local = LocalDateTime.of(
          number(text, 0, 4),
          number(text, 5, 7),
          number(text, 8, 10),
          number(text, 11, 13),
          number(text, 14, 16),
          number(text, 17, 19),
          nanos);
      return offset == null ? null : new Timestamp(text, local.toInstant(offset));
    } catch (DateTimeException e) {
      return null; // the 31st of February, or an offset of 99 hours: not a time
    }
  }

  /**
   * A time in UTC, with as many digits as it needs.
   *
   * @throws IllegalArgumentException outside the years 0 to 9999
   */
  public static Timestamp of(Instant instant) {
    return parse(instant.toString());
  }

  /** As it was written. */
  public String text() {
    return text;
  }

  /** When it was. */
  public Instant instant() {
    return instant;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Timestamp that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }

  private static @Nullable ZoneOffset offset(String zone) {
    if (zone.equals("Z")) {
      return ZoneOffset.UTC;
    }
    boolean wellFormed = zone.length() == 6
        && (zone.charAt(0) == '+' || zone.charAt(0) == '-')
        && zone.charAt(3) == ':'
        && isDigit(zone.charAt(1))
        && isDigit(zone.charAt(2))
        && isDigit(zone.charAt(4))
        && isDigit(zone.charAt(5));
    return wellFormed ? ZoneOffset.of(zone) : null;
  }

  private static int number(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + (text.charAt(i) - '0');
    }
    return value;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
