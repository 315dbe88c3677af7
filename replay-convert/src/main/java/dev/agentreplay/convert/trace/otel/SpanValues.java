package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values of spans: attributes with their types, ids and times. */
public final class SpanValues {

  /** The lengths of the base64 of 8 and 16 bytes. */
  private static final Set<Integer> BASE64_LENGTHS = Set.of(12, 24);

  private SpanValues() {}

  /** The value of an OTLP attribute, such as {@code {"intValue":"5"}}. */
  static JsonValue any(JsonValue typed) {
    if (!(typed instanceof JsonObject object) || object.size() != 1) {
      return typed;
    }
    JsonValue value = object.value(0);
    return switch (object.name(0)) {
      case "stringValue", "boolValue", "doubleValue", "string_value", "bool_value" -> value;
      case "intValue", "int_value" -> integer(value);
      case "arrayValue", "array_value" ->
        value instanceof JsonObject list && list.get("values") instanceof JsonArray values
            ? JsonArray.copyOf(values.stream().map(SpanValues::any).toList())
            : JsonArray.EMPTY;
      case "kvlistValue", "kvlist_value" ->
        value instanceof JsonObject list && list.get("values") instanceof JsonArray values
            ? named(values, "value")
            : JsonObject.EMPTY;
      default -> typed;
    };
  }

  private static JsonValue integer(JsonValue value) {
    return value instanceof JsonString text && text.value().matches("-?(0|[1-9][0-9]{0,18})")
        ? JsonNumber.of(text.value())
        : value;
  }

  /** Whether a value is a list of named values: of objects with the member {@code key}. */
  static boolean isNamedList(@Nullable JsonValue value) {
    return value instanceof JsonArray array
        && array.size() > 0
        && array.stream()
            .allMatch(element ->
                element instanceof JsonObject pair && pair.get("key") instanceof JsonString);
  }

  /**
   * The object of a list of named values. Further values with a name that was there before are in
   * the member {@code repeated}.
   */
  static JsonObject named(JsonArray list, String valueName) {
    Map<String, JsonValue> values = new LinkedHashMap<>();
    List<JsonValue> repeated = new ArrayList<>();
    for (JsonValue element : list) {
      if (element instanceof JsonObject pair && pair.get("key") instanceof JsonString key) {
        JsonValue value = pair.get(valueName);
        JsonValue known = value == null ? JsonObject.EMPTY : any(value);
        if (values.putIfAbsent(key.value(), known) == null) {
          continue;
        }
      }
      repeated.add(element);
    }
    if (!repeated.isEmpty()) {
      values.putIfAbsent("repeated", JsonArray.copyOf(repeated));
    }
    JsonObject.Builder object = JsonObject.builder();
    values.forEach(object::add);
    return object.build();
  }

  /** The text of an id: of a number its digits, of base64 the hexadecimal form. */
  static @Nullable String id(@Nullable JsonValue value) {
    if (value instanceof JsonNumber number) {
      return number.text();
    }
    if (!(value instanceof JsonString text) || text.value().isBlank()) {
      return null;
    }
    String id = text.value();
    if (BASE64_LENGTHS.contains(id.length()) && id.endsWith("=")) {
      try {
        return HexFormat.of().formatHex(Base64.getDecoder().decode(id));
      } catch (IllegalArgumentException notBase64) {
        return id;
      }
    }
    return id.matches("0+") ? null : id;
  }

  /**
   * The time that a value states: a number or its digits in seconds, milliseconds, microseconds or
   * nanoseconds since 1970, by its size; seconds and nanoseconds in an array; or ISO 8601, of which
   * a missing zone is UTC. Null if it is none.
   */
  public static @Nullable Instant time(@Nullable JsonValue value) {
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
