package dev.agentreplay.convert.trace.span;

import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times, in the forms in which tracing tools write them. */
public final class SourceTime {

  /** The first second after the years that a timestamp can have. */
  private static final long END = 253_402_300_800L;

  private SourceTime() {}

  /**
   * The time that a value states: a number or its digits in seconds, milliseconds, microseconds or
   * nanoseconds since 1970, by its size; seconds and nanoseconds in an array; or ISO 8601, of which
   * a missing zone is UTC. Null if it is none, or not between the years 1970 and 9999.
   */
  public static @Nullable Instant parse(@Nullable JsonValue value) {
    Instant time = read(value);
    boolean isInRange = time != null && time.getEpochSecond() >= 0 && time.getEpochSecond() < END;
    return isInRange ? time : null;
  }

  private static @Nullable Instant read(@Nullable JsonValue value) {
    try {
      if (value instanceof JsonArray pair && pair.size() == 2) {
        return Instant.ofEpochSecond(number(pair.get(0)), number(pair.get(1)));
      } else if (value instanceof JsonNumber number) {
        return ofNumber(number);
      } else if (value instanceof JsonString text && text.value().matches("[0-9]{1,19}")) {
        return ofInteger(Long.parseLong(text.value()));
      } else if (value instanceof JsonString text) {
        String iso = text.value().replace(' ', 'T');
        Timestamp time = Timestamp.tryParse(iso);
        time = time == null ? Timestamp.tryParse(iso + "Z") : time;
        return time == null ? null : time.instant();
      }
    } catch (ArithmeticException | NumberFormatException | DateTimeException outOfRange) {
      return null;
    }
    return null;
  }

  private static long number(JsonValue value) {
    if (value instanceof JsonNumber number) {
      return number.asLong();
    }
    throw new NumberFormatException("not a number");
  }

  private static @Nullable Instant ofNumber(JsonNumber number) {
    if (number.isIntegerLiteral()) {
      return ofInteger(number.asLong());
    }
    double value = number.asDouble();
    return value > 0 && value < 1e11
        ? Instant.ofEpochSecond((long) value, (long) ((value - Math.floor(value)) * 1e9))
        : ofInteger((long) value);
  }

  private static @Nullable Instant ofInteger(long value) {
    if (value <= 0) {
      return null;
    } else if (value < 100_000_000_000L) {
      return Instant.ofEpochSecond(value);
    } else if (value < 100_000_000_000_000L) {
      return Instant.ofEpochMilli(value);
    } else if (value < 100_000_000_000_000_000L) {
      return Instant.ofEpochSecond(value / 1_000_000, value % 1_000_000 * 1_000);
    }
    return Instant.ofEpochSecond(value / 1_000_000_000, value % 1_000_000_000);
  }
}
