package dev.agentreplay.model.json;

import java.io.File;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts plain Java values to JSON values. A value without JSON form is rejected; a subclass may
 * override that.
 */
class Conversion {

  static final Conversion STRICT = new Conversion();

  /** Called before the conversion of a member, with its name, or of an element, with its index. */
  void enter(Object step) {}

  /** Called after the conversion of a member or element. */
  void leave() {}

  /** Returns the JSON form of a text. */
  JsonValue text(String text) {
    return JsonString.of(text);
  }

  /** Returns the JSON form of bytes: Base64 text, as in Jackson. */
  JsonValue bytes(byte[] bytes, String mediaType) {
    return new JsonString(Base64.getEncoder().encodeToString(bytes));
  }

  /**
   * Returns the JSON form of a value.
   *
   * @throws IllegalArgumentException if the value does not have one
   */
  JsonValue toJson(@Nullable Object value, int depth) {
    if (depth > JsonValue.MAX_DEPTH) {
      // a list that contains itself would otherwise end in a stack overflow
      throw new IllegalArgumentException("nested deeper than " + JsonValue.MAX_DEPTH);
    }
    if (value == null) {
      return JsonNull.NULL;
    }
    if (value instanceof JsonValue json) {
      return json;
    }
    if (isText(value)) {
      return text(value.toString());
    }
    if (value instanceof Boolean bool) {
      return JsonBoolean.of(bool);
    }
    if (value instanceof Number number) {
      return toNumber(number);
    }
    if (value instanceof Enum<?> constant) {
      return text(constant.name());
    }
    if (value instanceof Map<?, ?> map) {
      return toObject(map, depth);
    }
    if (value instanceof Iterable<?> values) {
      return toArray(values, depth);
    }
    if (value.getClass().isArray()) {
      return arrayToJson(value, depth);
    }
    if (value instanceof Record components) {
      return toObject(components, depth);
    }
    return wrapperToJson(value, depth);
  }

  private JsonValue wrapperToJson(Object value, int depth) {
    if (value instanceof Optional<?> optional) {
      return toJson(optional.orElse(null), depth);
    }
    if (value instanceof OptionalInt optional) {
      return optional.isPresent() ? JsonNumber.of(optional.getAsInt()) : JsonNull.NULL;
    }
    if (value instanceof OptionalLong optional) {
      return optional.isPresent() ? JsonNumber.of(optional.getAsLong()) : JsonNull.NULL;
    }
    if (value instanceof OptionalDouble optional) {
      return optional.isPresent() ? JsonNumber.of(optional.getAsDouble()) : JsonNull.NULL;
    }
    if (value instanceof Date date) {
      return text(instant(date).toString());
    }
    if (value instanceof Calendar calendar) {
      return text(calendar.toInstant().toString());
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes(bytes, MediaContent.BYTES);
    }
    if (value instanceof MediaContent content) {
      return bytes(content.view(), content.mediaType());
    }
    throw new IllegalArgumentException("no JSON form for " + value.getClass().getName());
  }

  @SuppressWarnings("JavaUtilDate") // java.sql.Date and Time throw from toInstant()
  private static Instant instant(Date date) {
    return Instant.ofEpochMilli(date.getTime());
  }

  /**
   * Whether the text of a value is its JSON form. This is tested before Iterable, because a path is
   * also an iterable that contains itself.
   */
  private static boolean isText(Object value) {
    return value instanceof CharSequence
        || value instanceof Character
        || value instanceof Path
        || value instanceof File
        || value instanceof URI
        || value instanceof URL
        || value instanceof UUID
        || value instanceof TemporalAccessor
        || value instanceof TemporalAmount
        || value instanceof ZoneId;
  }

  private JsonValue toObject(Map<?, ?> map, int depth) {
    JsonObject.Builder builder = JsonObject.builder();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = name(entry.getKey());
      enter(name);
      builder.add(name, toJson(entry.getValue(), depth + 1));
      leave();
    }
    return builder.build();
  }

  /** Returns the name of a member for a key: the text of its JSON form. */
  private static String name(@Nullable Object key) {
    if (key instanceof String name) {
      return name;
    }
    if (key instanceof Enum<?> constant) {
      return constant.name();
    }
    if (key != null && (isText(key) || key instanceof Number || key instanceof Boolean)) {
      return key.toString();
    }
    if (key == null) {
      throw new IllegalArgumentException("not a name: null");
    }
    JsonValue json = STRICT.toJson(key, 0);
    return json instanceof JsonString text ? text.value() : json.toString();
  }

  private JsonValue toObject(Record components, int depth) {
    JsonObject.Builder builder = JsonObject.builder();
    for (RecordComponent component : components.getClass().getRecordComponents()) {
      enter(component.getName());
      builder.add(component.getName(), toJson(value(components, component), depth + 1));
      leave();
    }
    return builder.build();
  }

  private static @Nullable Object value(Record components, RecordComponent component) {
    String type = components.getClass().getName();
    Method accessor = component.getAccessor();
    if (!accessor.trySetAccessible()) {
      throw new IllegalArgumentException(
          "no JSON form for %s: its module does not open its package".formatted(type));
    }
    try {
      return accessor.invoke(components);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "no JSON form for %s: %s() throws %s".formatted(type, component.getName(), e.getCause()),
          e);
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("no JSON form for " + type, e);
    }
  }

  private JsonValue toArray(Iterable<?> values, int depth) {
    List<JsonValue> converted = new ArrayList<>();
    for (Object element : values) {
      enter(converted.size());
      converted.add(toJson(element, depth + 1));
      leave();
    }
    return JsonArray.copyOf(converted);
  }

  /** Converts an array; characters become text. */
  private JsonValue arrayToJson(Object array, int depth) {
    if (array instanceof byte[] bytes) {
      return bytes(bytes, MediaContent.BYTES);
    }
    if (array instanceof char[] characters) {
      return text(new String(characters));
    }
    List<JsonValue> converted = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      enter(i);
      converted.add(toJson(Array.get(array, i), depth + 1));
      leave();
    }
    return JsonArray.copyOf(converted);
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
