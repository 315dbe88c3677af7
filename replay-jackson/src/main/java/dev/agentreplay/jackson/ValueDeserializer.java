package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads values of one type, {@link JsonValue} or a subtype. */
final class ValueDeserializer<T extends JsonValue> extends StdDeserializer<T> {
  private static final long serialVersionUID = 1L;

  private final Class<T> type;

  ValueDeserializer(Class<T> type) {
    super(type);
    this.type = type;
  }

  @Override
  public T deserialize(JsonParser tokens, DeserializationContext context) throws IOException {
    JsonValue value;
    try {
      value = new ValueReader(tokens, context.getBase64Variant(), JsonValue::of).read();
    } catch (IllegalArgumentException e) {
      throw JsonMappingException.from(tokens, e.getMessage(), e);
    }
    if (!type.isInstance(value)) {
      return context.reportInputMismatch(
          this, "not a %s: %s", type.getSimpleName(), value.typeName());
    }
    return type.cast(value);
  }

  @Override
  public Object deserializeWithType(
      JsonParser tokens, DeserializationContext context, TypeDeserializer typeDeserializer)
      throws IOException {
    return deserialize(tokens, context);
  }

  @Override
  public @Nullable T getNullValue(DeserializationContext context) {
    return type.isInstance(JsonNull.NULL) ? type.cast(JsonNull.NULL) : null;
  }

  @Override
  public @Nullable Object getAbsentValue(DeserializationContext context) {
    // an absent member is not a JSON null
    return null;
  }
}
