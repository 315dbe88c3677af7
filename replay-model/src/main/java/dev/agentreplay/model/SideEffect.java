package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something a tool did to the world, such as {@code fs_write}.
 *
 * @param json as it was written: a string, an object with {@code type} or {@code effect_type}, or
 *     one whose single member is named by the type
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
    if (!(json instanceof JsonObject object)) {
      return null;
    }
    if (isNamedByType(object)) {
      return object.name(0);
    }
    String type = text(object, "type");
    return type != null ? type : text(object, "effect_type");
  }

  /** The file it touched, where that is said. */
  public @Nullable String path() {
    if (!(json instanceof JsonObject object)) {
      return null;
    }
    if (!isNamedByType(object)) {
      return text(object, "path");
    }
    return object.value(0) instanceof JsonObject details
        ? text(details, "path")
        : text(object, object.name(0));
  }

  /** Rust writes {@code {"FileWrite":{"path":"a"}}}, or {@code {"FileWrite":"a"}}. */
  private static boolean isNamedByType(JsonObject object) {
    return object.size() == 1
        && !object.has("type")
        && !object.has("effect_type")
        && !object.has("path");
  }

  private static @Nullable String text(JsonObject object, String name) {
    return object.get(name) instanceof JsonString string ? string.value() : null;
  }
}
