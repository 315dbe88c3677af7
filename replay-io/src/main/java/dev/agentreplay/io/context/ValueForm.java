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
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of the values that fit a request, in both directions: a value that is restored from
 * its form equals the original, and the form of any other value is refused. A context passes it
 * with each request to its {@link ContextValues}. Immutable.
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
      number -> isExact(number) ? JsonNumber.of(number) : JsonString.of(number.toString()),
      json -> json instanceof JsonString digits ? toLong(digits.value()) : toInteger(json));

  /** An integer as a number. */
  static final ValueForm<Integer> INT = new ValueForm<>(
      "an integer of 32 bits", JsonNumber::of, json -> Math.toIntExact(toInteger(json)));

  /**
   * A double as the number with the shortest digits that read back to it; up to 2^53 - 1 one
   * without a fraction as a string such as {@code "45.0"}, because JCS (RFC 8785) would write it as
   * an integer.
   */
  static final ValueForm<Double> DOUBLE =
      new ValueForm<>("a number with a fraction", ValueForm::ofDouble, ValueForm::toDouble);

  /** A float as the double that equals it. */
  static final ValueForm<Float> FLOAT = new ValueForm<>(
      "a number with a fraction that is a float",
      number -> ofDouble(number),
      json -> toFloat(toDouble(json)));

  /** A boolean. */
  static final ValueForm<Boolean> BOOLEAN =
      new ValueForm<>("true or false", JsonBoolean::of, JsonValue::asBoolean);

  /** Bytes in Base64. */
  static final ValueForm<byte[]> BYTES = new ValueForm<>(
      "Base64",
      bytes -> JsonString.of(Base64.getEncoder().encodeToString(bytes)),
      json -> toBytes(json.asString()));

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

  private final Supplier<String> expected;
  private final Function<T, JsonValue> toJson;
  private final Function<JsonValue, T> fromJson;

  private ValueForm(
      String expected, Function<T, JsonValue> toJson, Function<JsonValue, T> fromJson) {
    this(() -> expected, toJson, fromJson);
  }

  private ValueForm(
      Supplier<String> expected, Function<T, JsonValue> toJson, Function<JsonValue, T> fromJson) {
    this.expected = expected;
    this.toJson = toJson;
    this.fromJson = fromJson;
  }

  /**
   * Returns this form for a request that not all of its values fit.
   *
   * @param fits whether a value fits
   * @param expects returns the words for the values that fit, such as {@code an even number}
   */
  ValueForm<T> where(Predicate<T> fits, Supplier<String> expects) {
    return new ValueForm<>(expects, toJson, json -> {
      T value = fromJson.apply(json);
      if (!fits.test(value)) {
        throw new IllegalArgumentException();
      }
      return value;
    });
  }

  /** The words for the values that fit the request, such as {@code a ULID}. */
  public String expected() {
    return expected.get();
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
   * @throws IllegalArgumentException if it is not the form of a value that fits the request
   */
  public T fromJson(JsonValue json) {
    try {
      return fromJson.apply(json);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "expected %s, found %s".formatted(expected(), Excerpt.of(json.toString())), e);
    }
  }

  private static boolean isExact(long number) {
    return -MAX_EXACT <= number && number <= MAX_EXACT;
  }

  private static long toLong(String digits) {
    long number = Long.parseLong(digits);
    if (isExact(number)) { // the text of something else, such as bytes
      throw new IllegalArgumentException();
    }
    return number;
  }

  private static long toInteger(JsonValue json) {
    if (!(json instanceof JsonNumber number) || !number.isIntegerLiteral()) {
      throw new IllegalArgumentException();
    }
    return number.asLong();
  }

  private static JsonValue ofDouble(double value) {
    JsonNumber number = JsonNumber.of(value);
    boolean isInteger = value == Math.rint(value) && Math.abs(value) <= MAX_EXACT;
    return isInteger ? JsonString.of(number.text()) : number;
  }

  private static double toDouble(JsonValue json) {
    if (json instanceof JsonString text) {
      double value = Double.parseDouble(text.value());
      if (!ofDouble(value).equals(json)) { // the text of something else, such as bytes
        throw new IllegalArgumentException();
      }
      return value;
    }
    double value = json.asDouble();
    if (((JsonNumber) json).isIntegerLiteral() && Math.abs(value) <= MAX_EXACT) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static float toFloat(double number) {
    float value = (float) number;
    if (value != number) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static byte[] toBytes(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    if (!Base64.getEncoder().encodeToString(bytes).equals(text)) { // it accepts no padding
      throw new IllegalArgumentException();
    }
    return bytes;
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
