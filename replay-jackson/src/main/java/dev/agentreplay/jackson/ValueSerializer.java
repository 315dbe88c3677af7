package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteCapability;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Writes values through a generator, with numbers by their text if the format has text. */
final class ValueSerializer extends StdSerializer<JsonValue> {
  private static final long serialVersionUID = 1L;

  ValueSerializer() {
    super(JsonValue.class);
  }

  @Override
  public void serialize(JsonValue value, JsonGenerator out, SerializerProvider provider)
      throws IOException {
    write(value, out);
  }

  @Override
  public void serializeWithType(
      JsonValue value, JsonGenerator out, SerializerProvider provider, TypeSerializer type)
      throws IOException {
    write(value, out);
  }

  static void write(JsonValue value, JsonGenerator out) throws IOException {
    if (value instanceof JsonObject object) {
      out.writeStartObject(object, object.size());
      for (int i = 0; i < object.size(); i++) {
        out.writeFieldName(object.name(i));
        write(object.value(i), out);
      }
      out.writeEndObject();
    } else if (value instanceof JsonArray array) {
      out.writeStartArray(array, array.size());
      for (JsonValue element : array) {
        write(element, out);
      }
      out.writeEndArray();
    } else if (value instanceof JsonString string) {
      out.writeString(string.value());
    } else if (value instanceof JsonNumber number) {
      write(number, out);
    } else if (value instanceof JsonBoolean bool) {
      out.writeBoolean(bool.value());
    } else {
      out.writeNull();
    }
  }

  private static void write(JsonNumber number, JsonGenerator out) throws IOException {
    if (out.getWriteCapabilities().isEnabled(StreamWriteCapability.CAN_WRITE_FORMATTED_NUMBERS)) {
      out.writeNumber(number.text());
      return;
    }
    Number exact = ExactNumber.of(number);
    if (exact instanceof Integer integer) {
      out.writeNumber(integer);
    } else if (exact instanceof Long integer) {
      out.writeNumber(integer);
    } else if (exact instanceof BigInteger integer) {
      out.writeNumber(integer);
    } else if (out instanceof TokenBuffer) {
      // keeps the text too, but treats the number as a decimal
      out.writeNumber(number.text());
    } else if (exact instanceof BigDecimal decimal) {
      out.writeNumber(decimal);
    } else {
      out.writeNumber(exact.doubleValue());
    }
  }
}
