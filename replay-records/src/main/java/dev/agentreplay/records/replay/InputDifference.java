package dev.agentreplay.records.replay;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An input of a session that is not the same in a replay, or that cannot be repeated.
 *
 * @param name the path of the input in the record, such as {@code protocol_versions.delta_format}
 * @param recorded the recorded value; null if there is none
 * @param present the value in the replay; null if there is none
 * @param message the difference in one sentence
 */
public record InputDifference(
    String name, @Nullable String recorded, @Nullable String present, String message) {

  /** Checks for null. */
  public InputDifference {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(message, "message");
  }

  /** The difference of a value. */
  static InputDifference of(String name, @Nullable String recorded, @Nullable String present) {
    String message = recorded == null
        ? "%s: only the replay has one: %s".formatted(name, shown(present))
        : present == null
            ? "%s: only the recorded session has one: %s".formatted(name, shown(recorded))
            : "%s: %s instead of %s".formatted(name, shown(present), shown(recorded));
    return new InputDifference(name, recorded, present, message);
  }

  /** Returns differences as reports state them: objects with the components of this record. */
  public static JsonArray json(List<InputDifference> differences) {
    return JsonArray.copyOf(differences.stream()
        .map(each -> JsonObject.of(
            "name",
            each.name(),
            "recorded",
            value(each.recorded()),
            "present",
            value(each.present()),
            "message",
            each.message()))
        .toList());
  }

  private static JsonValue value(@Nullable String text) {
    return text == null ? JsonNull.NULL : JsonValue.of(text);
  }

  private static String shown(@Nullable String value) {
    return '"' + Excerpt.of(String.valueOf(value)) + '"';
  }
}
