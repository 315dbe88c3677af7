package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the agent, and the circumstances under which it runs. A later event replaces
 * the settings that it names; the others remain. The names with a constant here have the types that
 * docs/format.md specifies; an agent may have any others.
 *
 * @param values the settings by name: each an object with its value and source
 * @param meta the data common to all events
 */
public record Settings(JsonObject values, Meta meta) implements ReplayEvent {

  /** The mode of the run, such as {@code record}: a string. */
  public static final String MODE = "mode";

  /** The seed of everything random in the agent: an integer, or a string of its digits. */
  public static final String SEED = "seed";

  /** The model that the agent calls: a string. */
  public static final String MODEL = "model";

  /** The parameters of its calls: an object like {@link ModelCall.Parameters}. */
  public static final String MODEL_PARAMETERS = "model_parameters";

  /** The tools that the agent offers to the model: an array of {@link ToolDescription}. */
  public static final String TOOLS = "tools";

  /** The versions of the software: an object of strings. */
  public static final String VERSIONS = "versions";

  /** The working directory of the process: a string. */
  public static final String WORKING_DIRECTORY = "working_directory";

  /** The time zone of the process, such as {@code Europe/Zurich}: a string. */
  public static final String TIME_ZONE = "time_zone";

  /** The locale of the process as a BCP 47 language tag: a string. */
  public static final String LOCALE = "locale";

  /** Environment variables by name: an object of strings, null for a variable that is not set. */
  public static final String ENVIRONMENT = "environment";

  /** The state of the workspace: an object with the {@code hash} of its manifest, and others. */
  public static final String WORKSPACE = "workspace";

  /**
   * The names of the settings that describe the circumstances of a run rather than the agent: where
   * it runs, and whether it is recorded or replayed. Runs that differ in them do not diverge.
   */
  public static final Set<String> CIRCUMSTANCES =
      Set.of(MODE, VERSIONS, WORKING_DIRECTORY, TIME_ZONE, LOCALE, ENVIRONMENT, WORKSPACE);

  /** The source of a setting that was read from a file. */
  public static final String FILE = "file";

  /** The source of a setting that was read from an environment variable. */
  public static final String ENV = "env";

  /** The source of a setting that has its default value. */
  public static final String DEFAULT = "default";

  /** The source of a setting that the runtime or the operating system states. */
  public static final String RUNTIME = "runtime";

  /**
   * A setting.
   *
   * @param value the value of the setting
   * @param source the source of the value: {@link #FILE}, {@link #ENV}, {@link #DEFAULT},
   *     {@link #RUNTIME}, or another word
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

  /** Returns a copy without the settings that have one of the given names. */
  public Settings without(Set<String> names) {
    return new Settings(values.without(names.toArray(String[]::new)), meta);
  }

  /** The seed; null when it is missing, or not a 64-bit integer. */
  public @Nullable Long seed() {
    Setting setting = get(SEED);
    JsonValue value = setting == null ? null : setting.value();
    try {
      return value instanceof JsonNumber number
          ? (Long) number.asLong()
          : value instanceof JsonString digits ? Long.valueOf(digits.value()) : null;
    } catch (ArithmeticException | NumberFormatException notALong) {
      return null;
    }
  }

  /** The tools; empty when they are missing. An element that is not an object is left out. */
  public List<ToolDescription> tools() {
    Setting setting = get(TOOLS);
    List<ToolDescription> tools = new ArrayList<>();
    if (setting != null && setting.value() instanceof JsonArray array) {
      for (JsonValue tool : array) {
        if (tool instanceof JsonObject description) {
          tools.add(new ToolDescription(description));
        }
      }
    }
    return List.copyOf(tools);
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
