package dev.agentreplay.model.json;

import java.io.File;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Plain Java values to JSON values. */
final class Conversion {

  private Conversion() {}

  static JsonValue toJson(@Nullable Object value, int depth) {
    if (depth > JsonValue.MAX_DEPTH) {
      // a list that holds itself would otherwise end as a stack overflow
      throw new IllegalArgumentException("nested deeper than " + JsonValue.MAX_DEPTH);
    }
    if (value == null) {
      return JsonNull.NULL;
    }
    if (value instanceof JsonValue json) {
      return json;
    }
    if (isText(value)) {
      return JsonString.of(value.toString());
    }
    if (value instanceof Boolean bool) {
      return JsonBoolean.of(bool);
    }
    if (value instanceof Number number) {
      return toNumber(number);
    }
    if (value instanceof Enum<?> constant) {
      return JsonString.of(constant.name());
    }
    if (value instanceof Map<?, ?> map) {
      return toObject(map, depth);
    }
    if (value instanceof Iterable<?> values) {
      List<JsonValue> converted = new ArrayList<>();
      for (Object element : values) {
        converted.add(toJson(element, depth + 1));
      }
      return JsonArray.copyOf(converted);
    }
    if (value.getClass().isArray()) {
      List<JsonValue> converted = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        converted.add(toJson(Array.get(value, i), depth + 1));
      }
      return JsonArray.copyOf(converted);
    }
    throw new IllegalArgumentException("no JSON form for " + value.getClass().getName());
  }

  /** Whether the text of a value is its JSON form. A path is also an iterable, of itself. */
  private static boolean isText(Object value) {
    return value instanceof CharSequence
        || value instanceof Character
        || value instanceof Path
        || value instanceof File
        || value instanceof URI
        || value instanceof UUID
        || value instanceof TemporalAccessor;
  }

  private static JsonValue toObject(Map<?, ?> map, int depth) {
    JsonObject.Builder builder = JsonObject.builder();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String name)) {
        throw new IllegalArgumentException("not a name: " + entry.getKey());
      }
      builder.add(name, toJson(entry.getValue(), depth + 1));
    }
    return builder.build();
  }

  private static JsonNumber toNumber(Number number) {
    if (number instanceof Long
        || number instanceof Integer
        || number instanceof Short
        || number instanceof Byte) {
      return JsonNumber.of(number.longValue());
    }
    if (number instanceof Double || number instanceof Float) {
      return JsonNumber.of(number.doubleValue());
    }
    if (number instanceof BigInteger integer) {
      return JsonNumber.of(integer);
    }
    if (number instanceof BigDecimal decimal) {
      return JsonNumber.of(decimal);
    }
    return JsonNumber.of(number.toString());
  }
}
