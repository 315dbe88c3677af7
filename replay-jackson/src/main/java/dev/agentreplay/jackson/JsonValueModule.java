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
import dev.agentreplay.model.json.MediaContent;

/**
 * A Jackson module with which an {@code ObjectMapper} reads and writes {@link JsonValue} and its
 * subtypes as the JSON that they represent, with numbers by their text, and writes
 * {@link MediaContent} as Base64 text. Register it with {@code mapper.registerModule(new
 * JsonValueModule())}.
 *
 * <p>Input is checked against the guarantees of {@code JsonValue}; a duplicate name, for example,
 * causes Jackson's {@code JsonMappingException}. A JSON null is read as {@link JsonNull} for a
 * member of type {@code JsonValue}, and as null for a member of a type such as {@code JsonObject}.
 * In formats without text, such as CBOR, a number is written as a double if the shortest text of
 * the double is that of the number, otherwise as a decimal. If Jackson buffers the tokens before a
 * type name, it reads the literal {@code -0} as {@code 0}. Type ids are never written, regardless
 * of the mapper's default typing.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class JsonValueModule extends Module {

  /** Creates a module. All instances are equivalent, and a mapper registers only the first. */
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
    serializers.addSerializer(new ConvertingSerializer<>(MediaContent.class, JsonValue::of));
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
