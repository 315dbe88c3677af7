package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.function.Function;

/**
 * A Jackson serializer that converts objects of a class to JSON values and writes these. Type ids
 * are never written, regardless of the mapper's default typing. Immutable, and safe for use by
 * several threads if the conversion is.
 */
public final class ConvertingSerializer<T> extends StdSerializer<T> {
  private static final long serialVersionUID = 1L;

  private final transient Function<T, JsonValue> conversion;

  /**
   * Creates a serializer for a class and its subclasses.
   *
   * @param conversion the function that returns the JSON value of an object
   */
  public ConvertingSerializer(Class<T> type, Function<T, JsonValue> conversion) {
    super(type);
    this.conversion = conversion;
  }

  @Override
  public void serialize(T object, JsonGenerator out, SerializerProvider provider)
      throws IOException {
    ValueSerializer.write(conversion.apply(object), out);
  }

  @Override
  public void serializeWithType(
      T object, JsonGenerator out, SerializerProvider provider, TypeSerializer type)
      throws IOException {
    serialize(object, out, provider);
  }
}
