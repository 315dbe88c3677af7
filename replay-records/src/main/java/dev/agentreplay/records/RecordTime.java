package dev.agentreplay.records;

import dev.agentreplay.model.Timestamp;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A point in time as a record states it: ISO 8601 date and time with {@code Z} or an offset. The
 * schema of specification 004 accepts more than {@link Timestamp}: times without seconds, offsets
 * without a colon, and any number of fraction digits, of which {@link #instant} keeps nine. Two
 * times are equal when their texts are. Immutable and safe for use by several threads.
 */
public final class RecordTime {

  private static final int MAX_FRACTION = ".nnnnnnnnn".length();

  private static final Pattern FORM = Pattern.compile(
      "(\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2})(:\\d{2})?((?<=:\\d{2}:\\d{2})\\.\\d+)?(Z|([+-]\\d{2}):?(\\d{2}))");

  private final String text;
  private final Instant instant;

  private RecordTime(String text, Instant instant) {
    this.text = text;
    this.instant = instant;
  }

  /**
   * Parses a time.
   *
   * @throws IllegalArgumentException if the text has another form, or the date or time does not
   *     exist
   */
  public static RecordTime parse(String text) {
    RecordTime time = tryParse(text);
    if (time == null) {
      throw new IllegalArgumentException("not an ISO 8601 time with offset: " + text);
    }
    return time;
  }

  /** Like {@link #parse}, but returns null if the text is not a time. */
  static @Nullable RecordTime tryParse(String text) {
    Timestamp timestamp = Timestamp.tryParse(text);
    if (timestamp == null) {
      timestamp = completed(text);
    }
    return timestamp == null ? null : new RecordTime(text, timestamp.instant());
  }

  /**
   * Parses a text without seconds or without the colon of the offset, or with more fraction digits
   * than a timestamp.
   */
  private static @Nullable Timestamp completed(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return null;
    }
    String second = form.group(2) == null ? ":00" : form.group(2);
    String fraction = form.group(3) == null ? "" : form.group(3);
    String offset = form.group(5) == null ? "Z" : form.group(5) + ":" + form.group(6);
    return Timestamp.tryParse(form.group(1)
        + second
        + fraction.substring(0, Math.min(fraction.length(), MAX_FRACTION))
        + offset);
  }

  /**
   * Creates a time in UTC, with 0, 3, 6 or 9 fraction digits as needed.
   *
   * @throws IllegalArgumentException if the year is not between 0 and 9999
   */
  public static RecordTime of(Instant instant) {
    return new RecordTime(Timestamp.of(instant).text(), instant);
  }

  /** The text of this time; if it was parsed, the original text. */
  public String text() {
    return text;
  }

  /** The point in time, to the nanosecond. */
  public Instant instant() {
    return instant;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RecordTime that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The text of this time; if it was parsed, the original text. */
  @Override
  public String toString() {
    return text;
  }
}
