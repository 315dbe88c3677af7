package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.module.SimpleDeserializers;
import com.fasterxml.jackson.databind.module.SimpleSerializers;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;

/**
 * Lets an {@code ObjectMapper} read and write {@link JsonValue} and its kinds as the JSON they are,
 * numbers by their text: {@code new ObjectMapper().registerModule(new JsonValueModule())}.
 *
 * <p>What is read is held to what every {@code JsonValue} guarantees; a name that stands twice, for
 * one, is Jackson's {@code JsonMappingException}. A JSON null is {@link JsonNull} where the class
 * says {@code JsonValue}, and null where it says {@code JsonObject}, for one. Formats without text,
 * such as CBOR, hold the number: as a double where its shortest text is that of the number, as a
 * decimal otherwise; and where Jackson buffers what stands before the name of a type, it makes
 * {@code 0} of the literal {@code -0}. Types are never written, whatever the mapper's default
 * typing.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class JsonValueModule extends Module {

  /** A module; all are alike, and a mapper takes only the first. */
  public JsonValueModule() {}

  @Override
  public String getModuleName() {
    return "agentreplay-json-value";
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public void setupModule(SetupContext context) {
    SimpleSerializers serializers = new SimpleSerializers();
    serializers.addSerializer(new ValueSerializer());
    context.addSerializers(serializers);
    SimpleDeserializers deserializers = new SimpleDeserializers();
    add(deserializers, JsonValue.class);
    add(deserializers, JsonObject.class);
    add(deserializers, JsonArray.class);
    add(deserializers, JsonString.class);
    add(deserializers, JsonNumber.class);
    add(deserializers, JsonBoolean.class);
    add(deserializers, JsonNull.class);
    context.addDeserializers(deserializers);
  }

  private static <T extends JsonValue> void add(SimpleDeserializers deserializers, Class<T> type) {
    deserializers.addDeserializer(type, new ValueDeserializer<>(type));
  }
}
