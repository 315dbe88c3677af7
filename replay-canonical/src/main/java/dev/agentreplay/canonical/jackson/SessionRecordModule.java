package dev.agentreplay.canonical.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.module.SimpleDeserializers;
import com.fasterxml.jackson.databind.module.SimpleKeyDeserializers;
import com.fasterxml.jackson.databind.module.SimpleSerializers;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.record.AgentRole;
import dev.agentreplay.model.record.DivergenceSeverity;
import dev.agentreplay.model.record.EvidenceType;
import dev.agentreplay.model.record.InterventionSeverity;
import dev.agentreplay.model.record.InterventionType;
import dev.agentreplay.model.record.MessageType;
import dev.agentreplay.model.record.RecordConstant;
import dev.agentreplay.model.record.RecordForm;
import dev.agentreplay.model.record.RecordObject;
import dev.agentreplay.model.record.ReplayMode;
import java.io.IOException;
import java.util.function.Function;

/**
 * Lets an {@code ObjectMapper} read and write session records and replay reports, every object
 * within them and their constants, which may be keys of maps: {@code new
 * ObjectMapper().registerModule(new SessionRecordModule())}.
 *
 * <p>The JSON is that of {@link RecordObject#toJson()} and {@link RecordConstant#spelling()},
 * whatever the mapper says of names, nulls and unknown members, which are kept. A value that breaks
 * a constraint, or a key that is no constant, is Jackson's {@code JsonMappingException}, whose
 * cause is an {@link dev.agentreplay.model.record.InvalidRecordException} that lists all it breaks.
 * Types are never written, whatever the mapper's default typing.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class SessionRecordModule extends Module {

  /** A module; all are alike, and a mapper takes only the first. */
  public SessionRecordModule() {}

  @Override
  public String getModuleName() {
    return "agentreplay-session-record";
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public void setupModule(SetupContext context) {
    SimpleSerializers serializers = new SimpleSerializers();
    serializers.addSerializer(new ObjectSerializer());
    serializers.addSerializer(new ConstantSerializer());
    context.addSerializers(serializers);
    SimpleSerializers keySerializers = new SimpleSerializers();
    keySerializers.addSerializer(new KeySerializer());
    context.addKeySerializers(keySerializers);
    Readers readers = new Readers();
    RecordForm.all().forEach(readers::add);
    readers.add(AgentRole.class);
    readers.add(EvidenceType.class);
    readers.add(MessageType.class);
    readers.add(InterventionType.class);
    readers.add(InterventionSeverity.class);
    readers.add(ReplayMode.class);
    readers.add(DivergenceSeverity.class);
    context.addDeserializers(readers.values);
    context.addKeyDeserializers(readers.keys);
  }

  /** What reads each type, as a value and as a key. */
  private static final class Readers {
    private final SimpleDeserializers values = new SimpleDeserializers();
    private final SimpleKeyDeserializers keys = new SimpleKeyDeserializers();

    <T extends RecordObject> void add(RecordForm<T> form) {
      values.addDeserializer(form.type(), new ConvertingDeserializer<>(form.type(), form::read));
    }

    <E extends Enum<E> & RecordConstant> void add(Class<E> type) {
      Function<JsonValue, E> conversion = value -> RecordConstant.read(type, value);
      values.addDeserializer(type, new ConvertingDeserializer<>(type, conversion));
      keys.addDeserializer(type, new ConvertingKeyDeserializer(conversion));
    }
  }

  private static final class ObjectSerializer extends StdSerializer<RecordObject> {
    private static final long serialVersionUID = 1L;

    ObjectSerializer() {
      super(RecordObject.class);
    }

    @Override
    public void serialize(RecordObject object, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      ValueSerializer.write(object.toJson(), out);
    }

    @Override
    public void serializeWithType(
        RecordObject object, JsonGenerator out, SerializerProvider provider, TypeSerializer type)
        throws IOException {
      serialize(object, out, provider);
    }
  }

  private static final class ConstantSerializer extends StdSerializer<RecordConstant> {
    private static final long serialVersionUID = 1L;

    ConstantSerializer() {
      super(RecordConstant.class);
    }

    @Override
    public void serialize(RecordConstant constant, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(constant.spelling());
    }

    @Override
    public void serializeWithType(
        RecordConstant constant,
        JsonGenerator out,
        SerializerProvider provider,
        TypeSerializer type)
        throws IOException {
      serialize(constant, out, provider);
    }
  }

  private static final class KeySerializer extends StdSerializer<RecordConstant> {
    private static final long serialVersionUID = 1L;

    KeySerializer() {
      super(RecordConstant.class);
    }

    @Override
    public void serialize(RecordConstant constant, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeFieldName(constant.spelling());
    }
  }
}
