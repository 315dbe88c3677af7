package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something a tool did to the world, such as {@code fs_write}.
 *
 * @param json as it was written: a string, or an object with {@code type} or {@code effect_type}
 */
public record SideEffect(JsonValue json) {

  /** Checks for null. */
  public SideEffect {
    Objects.requireNonNull(json, "json");
  }

  /** A side effect of this type. */
  public static SideEffect of(String type) {
    return new SideEffect(JsonString.of(type));
  }

  /** A side effect of this type on a file. */
  public static SideEffect of(String type, String path) {
    return new SideEffect(JsonObject.of("type", type, "path", path));
  }

  /** Its type; null when the form is not one we know. */
  public @Nullable String type() {
    if (json instanceof JsonString string) {
      return string.value();
    }
    String type = text("type");
    return type != null ? type : text("effect_type");
  }

  /** The file it touched, where that is said. */
  public @Nullable String path() {
    return text("path");
  }

  private @Nullable String text(String name) {
    return json instanceof JsonObject object && object.get(name) instanceof JsonString string
        ? string.value()
        : null;
  }
}
