package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A span in the JSON form of the OpenTelemetry protocol (OTLP): ids are hexadecimal, 64-bit
 * integers are strings, times are nanoseconds since 1970. Not safe for use by several threads.
 */
final class Span {

  /** The kinds of spans, with their numbers in the protocol. */
  enum Kind {
    INTERNAL(1),
    CLIENT(3);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);
  private static final int OK = 1;
  private static final int ERROR = 2;

  private final String id;
  private final @Nullable String parentId;
  private final Kind kind;
  private final String name;
  private final Instant start;
  private final Instant end;
  private final List<JsonValue> attributes = new ArrayList<>();
  private final List<JsonValue> events = new ArrayList<>();
  private JsonObject status = JsonObject.EMPTY;

  /**
   * Creates a span.
   *
   * @param parentId the id of the span that it is a part of; null for the root
   * @param end the end; if it is before the start, the span ends with its start
   */
  Span(String id, @Nullable String parentId, Kind kind, String name, Instant start, Instant end) {
    this.id = id;
    this.parentId = parentId;
    this.kind = kind;
    this.name = name;
    this.start = start;
    this.end = end.isBefore(start) ? start : end;
  }

  String id() {
    return id;
  }

  void put(String key, String text) {
    attributes.add(attribute(key, JsonObject.of("stringValue", text)));
  }

  void put(String key, long number) {
    attributes.add(attribute(key, JsonObject.of("intValue", Long.toString(number))));
  }

  /** Adds texts as an array. */
  void put(String key, List<String> texts) {
    List<JsonValue> values = new ArrayList<>();
    texts.forEach(text -> values.add(JsonObject.of("stringValue", text)));
    attributes.add(attribute(
        key, JsonObject.of("arrayValue", JsonObject.of("values", JsonArray.copyOf(values)))));
  }

  /**
   * Adds a number; an integer beyond 64 bits is a double.
   *
   * @param isDouble whether the attribute is a double, also if the number is an integer
   */
  void put(String key, JsonNumber number, boolean isDouble) {
    if (number.isIntegerLiteral() && !isDouble) {
      try {
        put(key, number.asLong());
        return;
      } catch (ArithmeticException beyond64Bits) {
        // as a double
      }
    }
    attributes.add(attribute(key, JsonObject.of("doubleValue", number)));
  }

  /** Adds what is kept of an event, as the text of its JSON, unless nothing is. */
  void keep(String key, JsonObject rest) {
    if (!rest.isEmpty()) {
      put(key, rest.toString());
    }
  }

  void addEvent(Instant time, String eventName, String key, String text) {
    events.add(JsonObject.of(
        "timeUnixNano",
        nanos(time),
        "name",
        eventName,
        "attributes",
        JsonArray.of(attribute(key, JsonObject.of("stringValue", text)))));
  }

  void succeed() {
    status = JsonObject.of("code", OK);
  }

  void fail(@Nullable String message) {
    status = message == null
        ? JsonObject.of("code", ERROR)
        : JsonObject.of("code", ERROR, "message", message);
  }

  private static JsonObject attribute(String key, JsonValue value) {
    return JsonObject.of("key", key, "value", value);
  }

  JsonObject json(String traceId) {
    JsonObject.Builder json = JsonObject.builder().put("traceId", traceId).put("spanId", id);
    if (parentId != null) {
      json.put("parentSpanId", parentId);
    }
    json.put("name", name)
        .put("kind", kind.number)
        .put("startTimeUnixNano", nanos(start))
        .put("endTimeUnixNano", nanos(end))
        .put("attributes", JsonArray.copyOf(attributes));
    if (!events.isEmpty()) {
      json.put("events", JsonArray.copyOf(events));
    }
    return json.put("status", status).build();
  }

  /** Nanoseconds since 1970 as text; 0 for a time before it, which the protocol cannot state. */
  private static String nanos(Instant time) {
    BigInteger nanos = BigInteger.valueOf(time.getEpochSecond())
        .multiply(NANOS)
        .add(BigInteger.valueOf(time.getNano()));
    return nanos.signum() < 0 ? "0" : nanos.toString();
  }

  /** An attribute value: a scalar as itself, anything else as the text of its JSON. */
  void putValue(String key, JsonValue value) {
    if (value instanceof JsonNumber number) {
      put(key, number, false);
    } else if (value instanceof JsonBoolean bool) {
      attributes.add(attribute(key, JsonObject.of("boolValue", bool)));
    } else {
      put(key, value instanceof JsonString text ? text.value() : value.toString());
    }
  }
}
