package dev.agentreplay.engine.message;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A tool that a model asks for.
 *
 * @param name the name of the tool
 * @param arguments the arguments; a text of JSON, in which some formats have them, is parsed; a
 *     text that is not JSON is a string
 */
public record ToolRequest(String name, JsonValue arguments) {

  /** Checks for null. */
  public ToolRequest {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(arguments, "arguments");
  }

  /** Returns the request as a call: {@code read_file(path: "a.txt", limit: 20)}. */
  @Override
  public String toString() {
    String text = arguments instanceof JsonObject object
        ? object.names().stream()
            .map(each -> each + ": " + object.get(each))
            .collect(Collectors.joining(", "))
        : arguments instanceof JsonString string ? string.value() : arguments.toString();
    return name + "(" + text + ")";
  }
}
