package dev.agentreplay.engine.replay.settings;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the settings that a recording states with the present ones. A setting that is
 * not stated now cannot be compared: that is a circumstance only if the caller does not accept that
 * it differs.
 */
public final class SettingsComparison {

  private final JsonObject recorded;
  private final @Nullable Long seed;
  private final Predicate<String> isRequired;
  private final ToolsComparison tools;
  private final List<SettingDifference> found = new ArrayList<>();

  /**
   * Creates a comparison.
   *
   * @param recorded the recorded settings by name
   * @param policy the policy with the effects of the present tools
   * @param executors the executors of the present tools
   * @param seed the seed that is used in place of the recorded one; null for that one
   * @param isRequired whether the caller does not accept that a setting differs, by its name
   */
  public SettingsComparison(
      JsonObject recorded,
      ReplayPolicy policy,
      Executors executors,
      @Nullable Long seed,
      Predicate<String> isRequired) {
    this.recorded = recorded;
    this.seed = seed;
    this.isRequired = isRequired;
    this.tools = new ToolsComparison(policy, executors, this);
  }

  /** Compares the settings. Returns the differences in the order of their names. */
  public List<SettingDifference> with(Circumstances present) {
    found.clear();
    JsonObject now = present.settings().values();
    new TreeMap<>(recorded.toMap()).keySet().forEach(name -> {
      JsonValue before = value(recorded, name);
      if (before != null) {
        setting(name, before, value(now, name));
      }
    });
    return List.copyOf(found);
  }

  /** The value of a setting; null if it is not stated, or malformed. */
  static @Nullable JsonValue value(JsonObject settings, String name) {
    return settings.get(name) instanceof JsonObject setting ? setting.get("value") : null;
  }

  private void setting(String name, JsonValue before, @Nullable JsonValue after) {
    switch (name) {
      case Settings.MODE -> {} // the mode of a replay is not that of a recording
      case Settings.SEED -> seed();
      case Settings.WORKSPACE -> workspace(before, after);
      case Settings.TOOLS -> tools.compare(before, after);
      default -> {
        if (before instanceof JsonObject one && (after == null || after instanceof JsonObject)) {
          members(name, one, after instanceof JsonObject other ? other : JsonObject.EMPTY);
        } else {
          compare(name, before, after);
        }
      }
    }
  }

  private void members(String setting, JsonObject before, JsonObject after) {
    new TreeMap<>(before.toMap()).forEach((name, value) -> {
      boolean isProducer =
          setting.equals(Settings.VERSIONS) && name.equals(CircumstanceNames.PRODUCER);
      JsonValue now = after.get(name);
      compare(setting + "." + name, value, now == null && isProducer ? producer(value) : now);
    });
  }

  /** This library, which records the replay, if it has made the recording, too; else null. */
  private static @Nullable JsonValue producer(JsonValue recorded) {
    String now = RecorderOptions.defaults().producer();
    return recorded instanceof JsonString text && program(text.value()).equals(program(now))
        ? JsonString.of(now)
        : null;
  }

  /** The program of a producer such as "adjutant@1.2.3". */
  private static String program(String producer) {
    return producer.split("@", 2)[0];
  }

  private void seed() {
    Long before = new Settings(recorded, Meta.NONE).seed();
    if (seed != null && before != null && !before.equals(seed)) {
      differs(Settings.SEED, JsonValue.of(before), JsonValue.of(seed));
    }
  }

  /** Compares the hashes of the files, not where they are. */
  private void workspace(JsonValue before, @Nullable JsonValue after) {
    boolean isSame = before instanceof JsonObject one
        && after instanceof JsonObject other
        && Objects.equals(one.get(WorkspaceSnapshot.HASH), other.get(WorkspaceSnapshot.HASH));
    if (isSame) {
      return;
    }
    String message = after instanceof JsonObject state ? changed(state) : null;
    if (message == null) {
      compare(Settings.WORKSPACE, before, after);
    } else {
      add(Settings.WORKSPACE, before, after, message);
    }
  }

  /** The changed files of a workspace in words; null if its state does not list them. */
  private static @Nullable String changed(JsonObject state) {
    List<String> first = state.get(WorkspaceSnapshot.PATHS) instanceof JsonArray paths
        ? paths.stream().map(JsonValue::toString).toList()
        : List.of();
    boolean areAll = JsonNumber.of(first.size()).equals(state.get(WorkspaceSnapshot.CHANGED));
    return first.isEmpty()
        ? null
        : "the files of the workspace differ from the recording: %s%s"
            .formatted(String.join(", ", first), areAll ? "" : ", ...");
  }

  /** Compares a value with the present one; null if it is not stated now. */
  void compare(String name, JsonValue before, @Nullable JsonValue after) {
    if (after == null) {
      notStated(name, before);
    } else if (!before.equals(after)) {
      differs(name, before, after);
    }
  }

  /** Adds that a value is not stated now, if the caller does not accept that it differs. */
  void notStated(String name, JsonValue before) {
    if (isRequired.test(name)) {
      add(name, before, null, name + " is recorded, and not stated now");
    }
  }

  private void differs(String name, JsonValue before, JsonValue after) {
    add(name, before, after, name + " differs from the recording");
  }

  void add(String name, @Nullable JsonValue before, @Nullable JsonValue after, String message) {
    found.add(new SettingDifference(name, before, after, message));
  }
}
