package dev.agentreplay.jackson;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.function.Function;

/** Reads keys of maps from the names of members. Immutable, and safe for use by several threads. */
public final class ConvertingKeyDeserializer extends KeyDeserializer {

  private final Function<JsonValue, ?> conversion;

  /**
   * A deserializer of keys.
   *
   * @param conversion refuses a string with an {@link IllegalArgumentException}, which becomes
   *     Jackson's {@link JsonMappingException}
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
