package dev.agentreplay.io.workspace;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
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
 * @param variables the environment variables that change what programs print or build, and have no
 *     secrets: {@code LANG}, {@code LANGUAGE}, those that begin with {@code LC_}, and
 *     {@code SOURCE_DATE_EPOCH}; null if they are not known
 */
public record HostIdentity(
    @Nullable String user,
    @Nullable Long uid,
    @Nullable Long gid,
    @Nullable String home,
    @Nullable String host,
    @Nullable String umask,
    @Nullable Map<String, String> variables) {

  /** Nothing is known. */
  public static final HostIdentity UNKNOWN =
      new HostIdentity(null, null, null, null, null, null, null);

  private static final String VARIABLES = "variables";

  /** Copies the variables, without those that are not of an identity. */
  public HostIdentity {
    if (variables != null) {
      Map<String, String> kept = new TreeMap<>(variables);
      kept.keySet().removeIf(name -> !isVariable(name));
      variables = Collections.unmodifiableMap(kept);
    }
  }

  private static boolean isVariable(String name) {
    return name.equals("LANG")
        || name.equals("LANGUAGE")
        || name.startsWith("LC_")
        || name.equals("SOURCE_DATE_EPOCH");
  }

  /** Reads an identity from JSON; members that are absent or of the wrong type are not known. */
  public static HostIdentity of(JsonObject json) {
    return new HostIdentity(
        text(json, "user"),
        number(json, "uid"),
        number(json, "gid"),
        text(json, "home"),
        text(json, "host"),
        text(json, "umask"),
        json.get(VARIABLES) instanceof JsonObject variables ? texts(variables) : null);
  }

  /** The identity as JSON, without what is not known. */
  public JsonObject json() {
    JsonObject json = JsonObject.EMPTY;
    json = with(json, "user", user);
    json = with(json, "uid", uid);
    json = with(json, "gid", gid);
    json = with(json, "home", home);
    json = with(json, "host", host);
    json = with(json, "umask", umask);
    return with(json, VARIABLES, variables);
  }

  private static JsonObject with(JsonObject json, String name, @Nullable Object value) {
    return value == null ? json : json.with(name, value);
  }

  private static @Nullable String text(JsonObject json, String name) {
    return json.get(name) instanceof JsonString text ? text.value() : null;
  }

  private static Map<String, String> texts(JsonObject json) {
    Map<String, String> texts = new TreeMap<>();
    json.forEach((name, value) -> {
      if (value instanceof JsonString text) {
        texts.put(name, text.value());
      }
    });
    return texts;
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
