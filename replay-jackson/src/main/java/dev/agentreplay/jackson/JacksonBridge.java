package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts Jackson trees and the caller's objects to JSON values, and back.
 *
 * <p>Get an instance from {@link #defaults}, or from {@link #of} for a mapper of your own. Every
 * method throws {@link IllegalArgumentException} for input that it cannot convert; if Jackson
 * refused the input, Jackson's exception is the cause. Immutable, and safe for use by several
 * threads.
 */
public final class JacksonBridge {

  private static final JacksonBridge DEFAULTS = of(JsonMapper.builder()
      .addModule(new JavaTimeModule())
      .addModule(new TimeTextModule())
      .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
      .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
      .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
      .build());

  private final ObjectMapper mapper;

  private JacksonBridge(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /**
   * The bridge with Jackson's default mapper, except for {@code java.time}: times are written as
   * ISO 8601 text like that of {@link JsonValue#of}, unless a {@code @JsonFormat} specifies a
   * different form, and keep their offset when read. As is Jackson's default, unknown members of a
   * class are refused.
   */
  public static JacksonBridge defaults() {
    return DEFAULTS;
  }

  /**
   * Creates a bridge with a copy of a mapper, to which {@link JsonValueModule} is added. Later
   * changes to the mapper have no effect.
   *
   * @throws IllegalStateException if the mapper is of a subclass that cannot be copied
   */
  public static JacksonBridge of(ObjectMapper mapper) {
    return new JacksonBridge(mapper.copy().registerModule(new JsonValueModule()));
  }

  /**
   * Converts a {@link JsonNode} by its structure, or any other object as the mapper writes it.
   *
   * <p>Integers and decimals keep their digits. Doubles and floats have the text of
   * {@link dev.agentreplay.model.json.JsonNumber#of(double)}. Bytes become Base64 text. An object
   * in a tree is converted by the mapper. Null becomes the JSON null.
   *
   * @throws IllegalArgumentException if the mapper cannot write the object, if the result cannot be
   *     a {@link JsonValue} (NaN, an infinity, a number beyond the range of a double, a lone
   *     surrogate, more than {@link JsonValue#MAX_DEPTH} levels), or if the tree contains a missing
   *     node
   */
  public JsonValue toValue(@Nullable Object object) {
    try {
      return object instanceof JsonNode node ? read(node.traverse(mapper)) : written(object);
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  /**
   * Returns the tree of a value. A negative zero becomes a {@code DoubleNode}, any other integer
   * literal an {@code IntNode}, {@code LongNode} or {@code BigIntegerNode}, the smallest that can
   * hold it. Any other number becomes a {@code DoubleNode} if its text is that of
   * {@link dev.agentreplay.model.json.JsonNumber#of(double)} ({@code 0.1}), otherwise a
   * {@code DecimalNode} with all its digits ({@code 1.50}, {@code 1e3}, which Jackson writes as
   * {@code 1E+3}).
   *
   * @throws IllegalArgumentException if a number has an exponent that {@link java.math.BigDecimal}
   *     cannot hold, such as {@code 1e-2147483648}
   */
  public JsonNode toNode(JsonValue value) {
    return NodeWriter.node(value);
  }

  /**
   * Reads an object of a class from the JSON text of a value with the mapper. The class determines
   * the type of a number: for a member of type {@code Object}, any number other than an integer
   * literal becomes a {@code Double}, unless the mapper has {@code USE_BIG_DECIMAL_FOR_FLOATS}
   * enabled.
   *
   * @throws IllegalArgumentException if the mapper cannot read the class, or reads null
   */
  public <T> T toObject(JsonValue value, Class<T> type) {
    return object(value, type, (reader, tokens) -> reader.readValue(tokens, type));
  }

  /**
   * Reads an object of a generic type from the JSON text of a value with the mapper, such as
   * {@code new TypeReference<Map<String, Duration>>() {}}.
   *
   * @throws IllegalArgumentException if the mapper cannot read the type, or reads null
   */
  public <T> T toObject(JsonValue value, TypeReference<T> type) {
    return object(value, type.getType(), (reader, tokens) -> reader.readValue(tokens, type));
  }

  /** Reads an object from tokens; may return null for a JSON null. */
  private interface Read<T> {
    @Nullable
    T from(ObjectReader reader, JsonParser tokens) throws IOException;
  }

  private <T> T object(JsonValue value, Type type, Read<T> read) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(type, "type");
    T object;
    try (TokenBuffer buffer = new TokenBuffer(mapper, false)) {
      ValueSerializer.write(value, buffer);
      try (JsonParser tokens = buffer.asParser()) {
        ObjectReader reader = mapper.reader().without(DeserializationFeature.UNWRAP_ROOT_VALUE);
        object = read.from(reader, tokens);
      }
    } catch (IOException e) {
      throw refusal(e);
    }
    if (object == null) {
      throw new IllegalArgumentException(
          value.typeName() + " is read as null: " + type.getTypeName());
    }
    return object;
  }

  private JsonValue written(@Nullable Object object) throws IOException {
    if (object == null) {
      return JsonNull.NULL;
    }
    if (object instanceof JsonValue value) {
      return value;
    }
    try (TokenBuffer tokens = new TokenBuffer(mapper, false)) {
      mapper
          .writer()
          .without(SerializationFeature.WRAP_ROOT_VALUE)
          .writeValue(new BoundedGenerator(tokens), object);
      return read(tokens.asParser());
    }
  }

  private JsonValue read(JsonParser tokens) throws IOException {
    try (tokens) {
      tokens.nextToken();
      // a tree inside an object is written, not read: reading nested ones would overflow the stack
      return new ValueReader(
              tokens, mapper.getSerializationConfig().getBase64Variant(), this::written)
          .read();
    }
  }

  private static IllegalArgumentException refusal(IOException e) {
    return new IllegalArgumentException(e.getMessage(), e);
  }
}
