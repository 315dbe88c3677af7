package dev.agentreplay.engine.replay;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import org.jspecify.annotations.Nullable;

/**
 * A circumstance in which a replay differs from its recording, found before anything runs or, such
 * as {@code agents}, at its end.
 *
 * @param name the name: that of a setting, such as {@code versions.runtime},
 *     {@code tools.read_file} or {@code model}, or {@code version}, {@code verification},
 *     {@code end}, {@code gaps}, {@code hashes}, {@code schema}, {@code values}, {@code events},
 *     {@code files}, {@code agents}
 * @param recorded the recorded value; null if there is none
 * @param actual the value of the replay; null if there is none
 * @param message the difference in words
 */
public record Circumstance(
    String name, @Nullable JsonValue recorded, @Nullable JsonValue actual, String message) {

  /** The difference in words, with the beginnings of both values, if both are known. */
  public String text() {
    return recorded == null || actual == null
        ? message
        : "%s: recorded %s, now %s"
            .formatted(message, Excerpt.of(recorded.toString()), Excerpt.of(actual.toString()));
  }

  /** The circumstance as JSON. */
  public JsonObject json() {
    JsonObject json = JsonObject.of("name", name, "message", message);
    if (recorded != null) {
      json = json.with("recorded", recorded);
    }
    return actual == null ? json : json.with("actual", actual);
  }
}
