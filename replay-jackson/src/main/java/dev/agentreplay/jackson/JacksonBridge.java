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
 * Converts Jackson's trees and the caller's objects to JSON values, and back.
 *
 * <p>Every method refuses what it cannot convert with {@link IllegalArgumentException}; where
 * Jackson refused, its exception is the cause. Immutable, and safe for use by several threads.
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
   * The bridge with a mapper that is Jackson's default but for {@code java.time}: times are their
   * ISO 8601 text, the same as {@link JsonValue#of} has, unless a {@code @JsonFormat} says
   * otherwise, and keep their offset. As by Jackson's default, a member that the class does not
   * know is refused.
   */
  public static JacksonBridge defaults() {
    return DEFAULTS;
  }

  /**
   * A bridge with a copy of this mapper, to which {@link JsonValueModule} is added; what is done to
   * the mapper later has no effect.
   *
   * @throws IllegalStateException if the mapper is of a subclass that cannot be copied
   */
  public static JacksonBridge of(ObjectMapper mapper) {
    return new JacksonBridge(mapper.copy().registerModule(new JsonValueModule()));
  }

  /**
   * The JSON value of a {@link JsonNode}, by its structure, or of any other object, as the mapper
   * writes it.
   *
   * <p>Integers and decimals keep their digits, doubles and floats are as
   * {@link dev.agentreplay.model.json.JsonNumber#of(double)} has them, bytes are Base64 text, and
   * an object in a tree is converted by the mapper. Null is the JSON null.
   *
   * @throws IllegalArgumentException if the mapper cannot write the object, or there is what a
   *     {@link JsonValue} cannot be: NaN or an infinity, a number beyond the range of a double, a
   *     lone surrogate, more than {@link JsonValue#MAX_DEPTH} levels; or if there is a missing node
   */
  public JsonValue toValue(@Nullable Object object) {
    try {
      return object instanceof JsonNode node ? read(node.traverse(mapper)) : written(object);
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  /**
   * The tree of a value. An integer literal is an {@code IntNode}, {@code LongNode} or
   * {@code BigIntegerNode}, the smallest that holds it. Any other number is a {@code DoubleNode}
   * where its text is the one {@link dev.agentreplay.model.json.JsonNumber#of(double)} makes
   * ({@code 0.1}), and where it is a negative zero; else a {@code DecimalNode} with all its digits
   * ({@code 1.50}, {@code 1e3}, which Jackson spells {@code 1E+3}).
   *
   * @throws IllegalArgumentException if a number has an exponent that {@link java.math.BigDecimal}
   *     cannot hold, such as {@code 1e-2147483648}
   */
  public JsonNode toNode(JsonValue value) {
    return NodeWriter.node(value);
  }

  /**
   * The object that the mapper reads from the JSON text of a value. So it is the class that decides
   * what becomes of a number: where it says {@code Object}, that is a {@code Double} for all that
   * is no integer literal, unless the mapper is told to {@code USE_BIG_DECIMAL_FOR_FLOATS}.
   *
   * @throws IllegalArgumentException if the mapper cannot read the class from it, or reads null
   */
  public <T> T toObject(JsonValue value, Class<T> type) {
    return object(value, type, (reader, tokens) -> reader.readValue(tokens, type));
  }

  /**
   * The object that the mapper reads from the JSON text of a value, of a type with parameters, as
   * in {@code new TypeReference<Map<String, Duration>>() {}}.
   *
   * @throws IllegalArgumentException if the mapper cannot read the type from it, or reads null
   */
  public <T> T toObject(JsonValue value, TypeReference<T> type) {
    return object(value, type.getType(), (reader, tokens) -> reader.readValue(tokens, type));
  }

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
      // a tree in an object is written too: read, trees in objects in trees would fill the stack
      return new ValueReader(
              tokens, mapper.getSerializationConfig().getBase64Variant(), this::written)
          .read();
    }
  }

  private static IllegalArgumentException refusal(IOException e) {
    return new IllegalArgumentException(e.getMessage(), e);
  }
}
