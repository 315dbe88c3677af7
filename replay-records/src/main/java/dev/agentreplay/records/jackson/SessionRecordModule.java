package dev.agentreplay.records.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleDeserializers;
import com.fasterxml.jackson.databind.module.SimpleKeyDeserializers;
import com.fasterxml.jackson.databind.module.SimpleSerializers;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.agentreplay.jackson.ConvertingDeserializer;
import dev.agentreplay.jackson.ConvertingKeyDeserializer;
import dev.agentreplay.jackson.ConvertingSerializer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.EvidenceRecordSummary;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordConstant;
import dev.agentreplay.records.RecordForm;
import dev.agentreplay.records.RecordObject;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.TraceMessage;
import java.io.IOException;
import java.util.function.Function;

/**
 * A Jackson module with which an {@code ObjectMapper} reads and writes session records, replay
 * reports, the objects within them and their constants, also as keys of maps: {@code new
 * ObjectMapper().registerModule(new SessionRecordModule())}.
 *
 * <p>The JSON is that of {@link RecordObject#toJson()} and {@link RecordConstant#id()}, regardless
 * of the mapper's configuration of names, nulls and unknown members; unknown members are kept. For
 * a value that breaks a constraint, or a key that is not a constant, Jackson throws
 * {@code JsonMappingException}, whose cause is an
 * {@link dev.agentreplay.records.InvalidRecordException} with all problems. Types are never
 * written, regardless of the mapper's default typing.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class SessionRecordModule extends Module {

  /** Creates a module. All instances are equivalent, and a mapper registers only the first. */
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
    serializers.addSerializer(new ConvertingSerializer<>(RecordObject.class, RecordObject::toJson));
    serializers.addSerializer(
        new ConvertingSerializer<>(RecordConstant.class, constant -> JsonString.of(constant.id())));
    context.addSerializers(serializers);
    SimpleSerializers keySerializers = new SimpleSerializers();
    keySerializers.addSerializer(new KeySerializer());
    context.addKeySerializers(keySerializers);
    Readers readers = new Readers();
    RecordForm.all().forEach(readers::add);
    readers.add(AgentRosterEntry.Role.class);
    readers.add(EvidenceRecordSummary.Type.class);
    readers.add(TraceMessage.Type.class);
    readers.add(OperatorIntervention.Type.class);
    readers.add(OperatorIntervention.Severity.class);
    readers.add(RecordReplayReport.Mode.class);
    readers.add(RecordReplayReport.Severity.class);
    context.addDeserializers(readers.values);
    context.addKeyDeserializers(readers.keys);
  }

  /** The deserializers of each type, as a value and as a key. */
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

  private static final class KeySerializer extends StdSerializer<RecordConstant> {
    private static final long serialVersionUID = 1L;

    KeySerializer() {
      super(RecordConstant.class);
    }

    @Override
    public void serialize(RecordConstant constant, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeFieldName(constant.id());
    }
  }
}
