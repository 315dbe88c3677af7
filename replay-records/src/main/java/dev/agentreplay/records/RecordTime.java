package dev.agentreplay.records;

import dev.agentreplay.model.Timestamp;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A point in time as a record states it: ISO 8601 date and time with {@code Z} or an offset. The
 * schema of specification 004 takes more than a {@link Timestamp}: times without seconds, offsets
 * without a colon, and any number of fraction digits, of which {@link #instant} has nine. Equality
 * is that of the text.
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
   * Reads a time.
   *
   * @throws IllegalArgumentException if the text has another form, or there is no such time
   */
  public static RecordTime parse(String text) {
    RecordTime time = tryParse(text);
    if (time == null) {
      throw new IllegalArgumentException("not an ISO 8601 time with offset: " + text);
    }
    return time;
  }

  /** Like {@link #parse}, but null if it is none. */
  static @Nullable RecordTime tryParse(String text) {
    Timestamp timestamp = Timestamp.tryParse(text);
    if (timestamp == null) {
      timestamp = completed(text);
    }
    return timestamp == null ? null : new RecordTime(text, timestamp.instant());
  }

  /** The time of a text that lacks what a timestamp must have, or has more of it. */
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
   * A time in UTC, with as many digits as it needs.
   *
   * @throws IllegalArgumentException outside the years 0 to 9999
   */
  public static RecordTime of(Instant instant) {
    return new RecordTime(Timestamp.of(instant).text(), instant);
  }

  /** The time as it was written. */
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

  /** The time as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
