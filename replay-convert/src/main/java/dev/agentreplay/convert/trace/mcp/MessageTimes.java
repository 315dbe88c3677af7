package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the times of the lines of a log: a text, or a number of seconds or parts of seconds since
 * 1970 or since the start that the first line states.
 */
final class MessageTimes {

  private static final List<String> NAMES = List.of(
      "timestamp",
      "ts",
      "time",
      "at",
      "date",
      "created_at",
      "createdAt",
      "t",
      "elapsed_ms",
      "offset_ms",
      LogLine.BEFORE);

  private static final List<String> STARTS =
      List.of("startedAt", "started_at", "start", "start_time");

  /** Decimals that no clock has, of which the expansion takes time. */
  private static final int MAX_SCALE = 30;

  private static final BigDecimal MAX = new BigDecimal("1e19");
  private static final BigDecimal NANOS = new BigDecimal("1e17");
  private static final BigDecimal MICROS = new BigDecimal("1e14");
  private static final BigDecimal MILLIS = new BigDecimal("1e11");
  private static final BigDecimal SECONDS = new BigDecimal("1e8");

  private @Nullable Instant start;

  /** Returns the time that a line states; null if it states none. */
  @Nullable
  Timestamp find(JsonObject line) {
    for (String name : STARTS) {
      String text = SourceHead.text(line, name);
      Timestamp time = text == null ? null : parse(text);
      if (time != null) {
        start = time.instant();
        return time;
      }
    }
    for (String name : NAMES) {
      Timestamp time = time(line.get(name));
      if (time != null) {
        return time;
      }
    }
    return null;
  }

  /** States what became of the member with the time. */
  static void take(SourceRecord record, @Nullable Timestamp time) {
    if (time == null) {
      return;
    }
    for (String name : NAMES) {
      if (time.text().equals(record.text(name))) {
        record.move("t", name);
        return;
      }
    }
    for (String name : NAMES) {
      if (record.get(name) != null) {
        record.derive("t", name);
        return;
      }
    }
  }

  private @Nullable Timestamp time(@Nullable JsonValue value) {
    if (value instanceof JsonString text) {
      return parse(text.value());
    }
    try {
      Instant instant = value instanceof JsonNumber number ? instant(number) : null;
      return instant == null ? null : Timestamp.of(instant);
    } catch (ArithmeticException | IllegalArgumentException | DateTimeException outOfRange) {
      return null;
    }
  }

  /** Parses a time, of which the zone may be missing, or which begins a line of text. */
  private static @Nullable Timestamp parse(String text) {
    int end = text.indexOf(' ', "yyyy-mm-dd ".length());
    String first = end < 0 ? text : text.substring(0, end);
    Timestamp time = Timestamp.tryParse(first);
    return time != null ? time : Timestamp.tryParse(first.replace(' ', 'T') + "Z");
  }

  private @Nullable Instant instant(JsonNumber number) {
    BigDecimal value = new BigDecimal(number.text());
    if (value.signum() < 0 || value.scale() > MAX_SCALE || value.compareTo(MAX) > 0) {
      return null;
    }
    boolean isOffset = value.compareTo(SECONDS) < 0;
    int digits = value.compareTo(NANOS) >= 0
        ? 0
        : value.compareTo(MICROS) >= 0 ? 3 : isOffset || value.compareTo(MILLIS) >= 0 ? 6 : 9;
    Instant from = isOffset ? start : Instant.EPOCH;
    long nanos = value.movePointRight(digits).toBigInteger().longValueExact();
    return from == null ? null : from.plusNanos(nanos);
  }
}
