package dev.agentreplay.io.context;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of the values of one type, in both directions: a value that is restored from its
 * form equals the original. A context passes it with each value to its {@link ContextValues}.
 * Immutable.
 *
 * @param <T> the type of the values
 */
public final class ValueForm<T extends @Nullable Object> {

  /** The largest integer that each reader of JSON reads exactly (RFC 7493, section 2.2). */
  private static final long MAX_EXACT = (1L << 53) - 1;

  private static final Pattern ULID_TEXT = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");

  /** A time as ISO text. */
  static final ValueForm<Instant> INSTANT = new ValueForm<>(
      "a time such as 2024-01-01T00:00:00Z",
      time -> JsonString.of(time.toString()),
      json -> Instant.parse(json.asString()));

  /** A duration as ISO text. */
  static final ValueForm<Duration> DURATION = new ValueForm<>(
      "a duration such as PT0.5S",
      duration -> JsonString.of(duration.toString()),
      json -> Duration.parse(json.asString()));

  /** An integer as a number; beyond 2^53 - 1 its digits as a string (RFC 7493, section 2.2). */
  static final ValueForm<Long> LONG = new ValueForm<>(
      "an integer of 64 bits",
      number -> Math.abs(number) > MAX_EXACT || number == Long.MIN_VALUE
          ? JsonString.of(number.toString())
          : JsonNumber.of(number),
      json -> json instanceof JsonString digits ? Long.valueOf(digits.value()) : json.asLong());

  /** An integer as a number. */
  static final ValueForm<Integer> INT = new ValueForm<>(
      "an integer of 32 bits", JsonNumber::of, json -> Math.toIntExact(json.asLong()));

  /** A double as the number with the shortest digits that read back to it. */
  static final ValueForm<Double> DOUBLE =
      new ValueForm<>("a number", JsonNumber::of, JsonValue::asDouble);

  /** A float as the number of the double that equals it. */
  static final ValueForm<Float> FLOAT = new ValueForm<>(
      "a number that is a float",
      number -> JsonNumber.of((double) number),
      json -> toFloat(json.asDouble()));

  /** A boolean. */
  static final ValueForm<Boolean> BOOLEAN =
      new ValueForm<>("true or false", JsonBoolean::of, JsonValue::asBoolean);

  /** Bytes in Base64. */
  static final ValueForm<byte[]> BYTES = new ValueForm<>(
      "Base64",
      bytes -> JsonString.of(Base64.getEncoder().encodeToString(bytes)),
      json -> Base64.getDecoder().decode(json.asString()));

  /** A UUID as text. */
  static final ValueForm<UUID> ID = new ValueForm<>(
      "a UUID", id -> JsonString.of(id.toString()), json -> toUuid(json.asString()));

  /** A ULID as text. */
  static final ValueForm<String> ULID =
      new ValueForm<>("a ULID", JsonString::of, json -> toUlid(json.asString()));

  /** The value of an environment variable; null if it is not set. */
  static final ValueForm<@Nullable String> VARIABLE = new ValueForm<>(
      "a string or null",
      text -> text == null ? JsonNull.NULL : JsonString.of(text),
      json -> json.isNull() ? null : json.asString());

  /** Names as an array. */
  static final ValueForm<List<String>> NAMES = new ValueForm<>(
      "an array of strings",
      names -> JsonArray.copyOf(names.stream().map(JsonString::of).toList()),
      json -> json.asArray().stream().map(JsonValue::asString).toList());

  /** Indexes as an array. */
  static final ValueForm<List<Integer>> INDEXES = new ValueForm<>(
      "an array of integers",
      indexes -> JsonArray.copyOf(indexes.stream().map(INT::toJson).toList()),
      json -> json.asArray().stream().map(INT::fromJson).toList());

  private final String expected;
  private final Function<T, JsonValue> toJson;
  private final Function<JsonValue, T> fromJson;

  private ValueForm(
      String expected, Function<T, JsonValue> toJson, Function<JsonValue, T> fromJson) {
    this.expected = expected;
    this.toJson = toJson;
    this.fromJson = fromJson;
  }

  /**
   * Returns the form of a value.
   *
   * @throws IllegalArgumentException if it is a text with a lone surrogate, as a file name may have
   */
  public JsonValue toJson(T value) {
    return toJson.apply(value);
  }

  /**
   * Restores a value from its form.
   *
   * @throws IllegalArgumentException if it is not the form of such a value
   */
  public T fromJson(JsonValue json) {
    try {
      return fromJson.apply(json);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "expected %s, found %s".formatted(expected, Excerpt.of(json.toString())), e);
    }
  }

  private static float toFloat(double number) {
    float value = (float) number;
    if (value != number) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static UUID toUuid(String text) {
    UUID id = UUID.fromString(text);
    if (!id.toString().equals(text)) { // it accepts groups of any length
      throw new IllegalArgumentException();
    }
    return id;
  }

  private static String toUlid(String text) {
    if (!ULID_TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException();
    }
    return text;
  }
}
