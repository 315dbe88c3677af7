package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A side effect of a tool call, such as {@code fs_write}.
 *
 * @param json the side effect as it was written: a string, an object with {@code type} or
 *     {@code effect_type}, or an object whose single member has the type as its name
 */
public record SideEffect(JsonValue json) {

  /** Checks for null. */
  public SideEffect {
    Objects.requireNonNull(json, "json");
  }

  /** Creates a side effect of a type. */
  public static SideEffect of(String type) {
    return new SideEffect(JsonString.of(type));
  }

  /** Creates a side effect of a type on a file. */
  public static SideEffect of(String type, String path) {
    return new SideEffect(JsonObject.of("type", type, "path", path));
  }

  /** The type; null when the form is not a known one. */
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
    return type != null ? type : text(object, Names.EFFECT_TYPE);
  }

  /** The path of the affected file; null when the side effect does not state it. */
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

  /**
   * Whether the object has the form of a Rust enum: {@code {"FileWrite":{"path":"a"}}}, or
   * {@code {"FileWrite":"a"}}.
   */
  private static boolean isNamedByType(JsonObject object) {
    return object.size() == 1
        && !object.has("type")
        && !object.has(Names.EFFECT_TYPE)
        && !object.has("path");
  }

  private static @Nullable String text(JsonObject object, String name) {
    return object.get(name) instanceof JsonString string ? string.value() : null;
  }
}
