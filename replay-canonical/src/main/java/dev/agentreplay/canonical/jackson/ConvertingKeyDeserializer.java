package dev.agentreplay.canonical.jackson;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.function.Function;

/** Reads the name of a member, and what its text stands for, as a key of a map. */
final class ConvertingKeyDeserializer extends KeyDeserializer {

  private final Function<JsonValue, ?> conversion;

  /** The conversion refuses a string with {@link IllegalArgumentException}. */
  ConvertingKeyDeserializer(Function<JsonValue, ?> conversion) {
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
