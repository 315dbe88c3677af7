package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values of spans: attributes with their types, and ids. */
final class SpanValues {

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
            ? named(values)
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
  static JsonObject named(JsonArray list) {
    Map<String, JsonValue> values = new LinkedHashMap<>();
    List<JsonValue> repeated = new ArrayList<>();
    for (JsonValue element : list) {
      if (element instanceof JsonObject pair && pair.get("key") instanceof JsonString key) {
        JsonValue value = pair.get("value");
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
}
