package dev.agentreplay.publish.secret;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A secret that a {@link SessionScan} found. It has no part of the secret.
 *
 * @param rule the id of the rule
 * @param file the file, relative to the directory of the session, with {@code /}
 * @param line the line from 1; null in a file that is one JSON value
 * @param pointer the JSON Pointer to the value, or for the name of a member to the object that has
 *     it, because the name is the secret; null in a text
 * @param isName whether the name of a member of the object is the secret
 */
public record SecretFinding(
    String rule, String file, @Nullable Long line, @Nullable String pointer, boolean isName) {

  /** Checks for null. */
  public SecretFinding {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(file, "file");
  }

  /** The place of the secret, for people. */
  public String place() {
    StringBuilder text = new StringBuilder(file);
    if (line != null) {
      text.append(" line ").append(line);
    }
    if (pointer != null) {
      text.append(", ").append(isName ? "a name in " : "").append(pointer);
    }
    return text.toString();
  }

  JsonObject json() {
    JsonObject.Builder json = JsonObject.builder().put("rule", rule).put("file", file);
    if (line != null) {
      json.put("line", line);
    }
    if (pointer != null) {
      json.put("pointer", pointer);
    }
    return isName ? json.put("name", true).build() : json.build();
  }
}
