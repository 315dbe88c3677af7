package dev.agentreplay.jackson;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.function.Function;

/**
 * A Jackson deserializer that converts member names to the keys of a map. Immutable, and safe for
 * use by several threads if the conversion is.
 */
public final class ConvertingKeyDeserializer extends KeyDeserializer {

  private final Function<JsonValue, ?> conversion;

  /**
   * Creates a deserializer of keys.
   *
   * @param conversion the function that converts a JSON string to a key; throws
   *     {@link IllegalArgumentException} for an invalid string, which becomes Jackson's
   *     {@link JsonMappingException}
   */
  public ConvertingKeyDeserializer(Function<JsonValue, ?> conversion) {
    this.conversion = conversion;
  }

  @Override
  public Object deserializeKey(String name, DeserializationContext context) throws IOException {
    try {
      return conversion.apply(JsonString.of(name));
    } catch (IllegalArgumentException e) {
      throw JsonMappingException.from(context, e.getMessage(), e);
    }
  }
}
