package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.function.Function;

/**
 * A Jackson deserializer that reads JSON values without loss of digits and converts them to objects
 * of a class. Immutable, and safe for use by several threads if the conversion is.
 */
public final class ConvertingDeserializer<T> extends StdDeserializer<T> {
  private static final long serialVersionUID = 1L;

  private final transient Function<JsonValue, T> conversion;

  /**
   * Creates a deserializer for a class.
   *
   * @param conversion the function that converts a value to an object; throws
   *     {@link IllegalArgumentException} for an invalid value, which becomes Jackson's
   *     {@link JsonMappingException}
   */
  public ConvertingDeserializer(Class<T> type, Function<JsonValue, T> conversion) {
    super(type);
    this.conversion = conversion;
  }

  @Override
  public T deserialize(JsonParser tokens, DeserializationContext context) throws IOException {
    try {
      return conversion.apply(
          new ValueReader(tokens, context.getBase64Variant(), JsonValue::of).read());
    } catch (IllegalArgumentException e) {
      throw JsonMappingException.from(tokens, e.getMessage(), e);
    }
  }

  @Override
  public Object deserializeWithType(
      JsonParser tokens, DeserializationContext context, TypeDeserializer typeDeserializer)
      throws IOException {
    return deserialize(tokens, context);
  }
}
