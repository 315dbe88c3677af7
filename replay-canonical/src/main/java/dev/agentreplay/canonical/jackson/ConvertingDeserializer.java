package dev.agentreplay.canonical.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.function.Function;

/** Reads a value, and what it stands for. */
final class ConvertingDeserializer<T> extends StdDeserializer<T> {
  private static final long serialVersionUID = 1L;

  private final transient Function<JsonValue, T> conversion;

  /** The conversion refuses a value with {@link IllegalArgumentException}. */
  ConvertingDeserializer(Class<T> type, Function<JsonValue, T> conversion) {
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
