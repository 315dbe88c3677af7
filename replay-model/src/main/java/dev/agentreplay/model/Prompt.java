package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a model is asked. Members that are not known stay in {@code json}.
 *
 * @param json as it is written: {@code system}, {@code messages}, {@code context}
 */
public record Prompt(JsonObject json) {

  /** Checks for null. */
  public Prompt {
    Objects.requireNonNull(json, "json");
  }

  /** A prompt of messages, each in the form that the model's provider has for it. */
  public static Prompt of(JsonArray messages) {
    return new Prompt(JsonObject.of("messages", messages));
  }

  /** A prompt of one text from the user. */
  public static Prompt of(String text) {
    return of(JsonArray.of(JsonObject.of("role", "user", "content", text)));
  }

  /** With a system prompt. */
  public Prompt withSystem(String system) {
    return new Prompt(json.with("system", system));
  }

  /** With what else the model is shown, such as documents and descriptions of tools. */
  public Prompt withContext(JsonValue context) {
    return new Prompt(json.with("context", context));
  }

  /** The system prompt; null when there is none. */
  public @Nullable String system() {
    return json.get("system") instanceof JsonString text ? text.value() : null;
  }

  /** The messages; none when they are not said. */
  public JsonArray messages() {
    return json.get("messages") instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  /** What else the model is shown; null when that is nothing. */
  public @Nullable JsonValue context() {
    return json.get("context");
  }
}
