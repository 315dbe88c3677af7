package dev.agentreplay.io.workspace;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The user and the host under which programs run, as far as programs print them. Null is not known.
 *
 * @param user the name of the user
 * @param uid the id of the user
 * @param gid the id of the user's group
 * @param home the home directory
 * @param host the name of the host
 * @param umask the mode bits that new files do not get, in octal, such as {@code 022}
 */
public record HostIdentity(
    @Nullable String user,
    @Nullable Long uid,
    @Nullable Long gid,
    @Nullable String home,
    @Nullable String host,
    @Nullable String umask) {

  /** Nothing is known. */
  public static final HostIdentity UNKNOWN = new HostIdentity(null, null, null, null, null, null);

  /** Reads an identity from JSON; members that are absent or of the wrong type are not known. */
  public static HostIdentity of(JsonObject json) {
    return new HostIdentity(
        text(json, "user"),
        number(json, "uid"),
        number(json, "gid"),
        text(json, "home"),
        text(json, "host"),
        text(json, "umask"));
  }

  /** The identity as JSON, without what is not known. */
  public JsonObject json() {
    JsonObject json = JsonObject.EMPTY;
    json = with(json, "user", user);
    json = with(json, "uid", uid);
    json = with(json, "gid", gid);
    json = with(json, "home", home);
    json = with(json, "host", host);
    return with(json, "umask", umask);
  }

  private static JsonObject with(JsonObject json, String name, @Nullable Object value) {
    return value == null ? json : json.with(name, value);
  }

  private static @Nullable String text(JsonObject json, String name) {
    return json.get(name) instanceof JsonString text ? text.value() : null;
  }

  private static @Nullable Long number(JsonObject json, String name) {
    JsonValue value = json.get(name);
    try {
      return value instanceof JsonNumber number ? number.asLong() : null;
    } catch (ArithmeticException notALong) {
      return null;
    }
  }
}
