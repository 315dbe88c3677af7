package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the agent.
 *
 * @param values the settings by name: each an object with its value and source
 * @param meta the data common to all events
 */
public record Settings(JsonObject values, Meta meta) implements ReplayEvent {

  /** The source of a setting that was read from a file. */
  public static final String FILE = "file";

  /** The source of a setting that was read from an environment variable. */
  public static final String ENV = "env";

  /** The source of a setting that has its default value. */
  public static final String DEFAULT = "default";

  /**
   * A setting.
   *
   * @param value the value of the setting
   * @param source the source of the value: {@link #FILE}, {@link #ENV}, {@link #DEFAULT}, or
   *     another word
   */
  public record Setting(JsonValue value, @Nullable String source) {

    /** Checks for null. */
    public Setting {
      Objects.requireNonNull(value, "value");
    }
  }

  /** Checks for null. */
  public Settings {
    Objects.requireNonNull(values, "values");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the event for settings by name. */
  public static Settings of(Map<String, Setting> settings) {
    JsonObject.Builder values = JsonObject.builder();
    settings.forEach((name, setting) -> {
      JsonObject value = JsonObject.of("value", setting.value());
      values.add(name, setting.source() == null ? value : value.with("source", setting.source()));
    });
    return new Settings(values.build(), Meta.NONE);
  }

  /**
   * Returns the setting with the given name; null when it is missing, or is not an object with a
   * {@code value}.
   */
  public @Nullable Setting get(String name) {
    if (!(values.get(name) instanceof JsonObject setting)) {
      return null;
    }
    JsonValue value = setting.get("value");
    String source = setting.get("source") instanceof JsonString text ? text.value() : null;
    return value == null ? null : new Setting(value, source);
  }

  @Override
  public EventKind kind() {
    return EventKind.SETTINGS;
  }

  @Override
  public Settings withMeta(Meta newMeta) {
    return new Settings(values, newMeta);
  }
}
