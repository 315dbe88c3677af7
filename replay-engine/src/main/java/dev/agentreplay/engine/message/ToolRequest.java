package dev.agentreplay.engine.message;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.stream.Collectors;

/** A tool that a model asks for. Immutable and safe for use by several threads. */
public final class ToolRequest {

  private final String name;
  private final JsonValue arguments;

  ToolRequest(String name, JsonValue arguments) {
    this.name = name;
    this.arguments = arguments;
  }

  /** The name of the tool. */
  public String name() {
    return name;
  }

  /**
   * The arguments. A text of JSON, in which some formats have them, is parsed; a text that is not
   * JSON is a string.
   */
  public JsonValue arguments() {
    return arguments;
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
