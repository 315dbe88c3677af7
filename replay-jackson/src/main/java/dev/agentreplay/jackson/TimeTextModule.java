package dev.agentreplay.jackson;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import dev.agentreplay.model.json.JsonValue;
import java.time.temporal.TemporalAccessor;
import java.util.Calendar;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/**
 * A Jackson module that writes times as the text of {@code JsonValue.of}, so that a time has a
 * single hash. Without it, {@code JavaTimeModule} adds seconds to 10:15, drops the zone and writes
 * a year as a number, and Jackson adds milliseconds to each date.
 */
final class TimeTextModule extends Module {

  @Override
  public String getModuleName() {
    return "agentreplay-time-text";
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public void setupModule(SetupContext context) {
    context.addBeanSerializerModifier(new Modifier());
  }

  /** Replaces the serializers of times. */
  private static final class Modifier extends BeanSerializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonSerializer<?> modifySerializer(
        SerializationConfig config, BeanDescription bean, JsonSerializer<?> serializer) {
      return isTime(bean.getBeanClass()) ? new TimeText(serializer) : serializer;
    }

    private static boolean isTime(Class<?> type) {
      return TemporalAccessor.class.isAssignableFrom(type)
          || Date.class.isAssignableFrom(type)
          || Calendar.class.isAssignableFrom(type);
    }
  }

  /** Writes a time as text unless a {@code @JsonFormat} specifies a different form. */
  private static final class TimeText extends ToStringSerializerBase
      implements ContextualSerializer {
    private static final long serialVersionUID = 1L;

    private final transient JsonSerializer<?> formatted;

    TimeText(JsonSerializer<?> formatted) {
      super(Object.class);
      this.formatted = formatted;
    }

    @Override
    public String valueToString(Object value) {
      return JsonValue.of(value).asString();
    }

    @Override
    public JsonSerializer<?> createContextual(
        SerializerProvider provider, @Nullable BeanProperty property) throws JsonMappingException {
      JsonFormat.Value format = findFormatOverrides(provider, property, handledType());
      return format == null || format.equals(JsonFormat.Value.empty())
          ? this
          : provider.handleSecondaryContextualization(formatted, property);
    }
  }
}
