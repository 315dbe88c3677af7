package dev.agentreplay.engine.fork;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;

/** One change that a fork makes at its point, or from there on. */
public sealed interface ForkChange {

  /** The members of a call that a {@link RequestValue} may be in. */
  List<String> REQUEST_MEMBERS = List.of("params", "model", "prompt", "parameters");

  /** The members of a result that a {@link ResultValue} may be in. */
  List<String> RESULT_MEMBERS = List.of("output", "answer", "exit_code");

  /** The change as JSON, as the header of a fork states it. */
  JsonObject json();

  /**
   * Returns the change that sets a value of the exchange at the point: of its call if the pointer
   * begins with a name of {@link #REQUEST_MEMBERS}, of its result if it begins with one of
   * {@link #RESULT_MEMBERS}.
   *
   * @throws IllegalArgumentException if it begins with any other name
   */
  static ForkChange set(JsonPointer pointer, JsonValue value) {
    String member = pointer.tokens().isEmpty() ? "" : pointer.tokens().get(0);
    if (REQUEST_MEMBERS.contains(member)) {
      return new RequestValue(pointer, value);
    } else if (RESULT_MEMBERS.contains(member)) {
      return new ResultValue(pointer, value);
    }
    throw new IllegalArgumentException(
        "expected a pointer into %s of a call, or %s of a result, found \"%s\""
            .formatted(
                String.join(", ", REQUEST_MEMBERS), String.join(", ", RESULT_MEMBERS), pointer));
  }

  /** Every call of a model from the point on is executed. */
  record Model() implements ForkChange {
    @Override
    public JsonObject json() {
      return JsonObject.of("change", "model");
    }
  }

  /**
   * Every call of a tool from the point on is executed, whatever its effect.
   *
   * @param name the name of the tool
   */
  record Tool(String name) implements ForkChange {

    /** Checks for null. */
    public Tool {
      Objects.requireNonNull(name, "name");
    }

    @Override
    public JsonObject json() {
      return JsonObject.of("change", "tool", "tool", name);
    }
  }

  /**
   * A value of the call at the point. What it changes in a model call is changed in later calls
   * that continue it, too.
   *
   * @param pointer the place in the call
   * @param value the new value
   */
  record RequestValue(JsonPointer pointer, JsonValue value) implements ForkChange {

    /** Checks for null. */
    public RequestValue {
      Objects.requireNonNull(pointer, "pointer");
      Objects.requireNonNull(value, "value");
    }

    @Override
    public JsonObject json() {
      return JsonObject.of("change", "set", "pointer", pointer.toString(), "value", value);
    }
  }

  /**
   * The whole prompt of the model call at the point. Later calls that continue it continue the new
   * prompt.
   *
   * @param prompt the prompt: {@code system}, {@code messages}, {@code context}
   */
  record Prompt(JsonObject prompt) implements ForkChange {

    /** Checks for null. */
    public Prompt {
      Objects.requireNonNull(prompt, "prompt");
    }

    /** States the hash of the prompt, which is in the call at the point. */
    @Override
    public JsonObject json() {
      return JsonObject.of(
          "change", "prompt", "prompt_hash", CanonicalJson.SERDE.hash(prompt).toString());
    }
  }

  /**
   * A value of the result at the point, which is served with it.
   *
   * @param pointer the place in the result
   * @param value the new value
   */
  record ResultValue(JsonPointer pointer, JsonValue value) implements ForkChange {

    /** Checks for null. */
    public ResultValue {
      Objects.requireNonNull(pointer, "pointer");
      Objects.requireNonNull(value, "value");
    }

    @Override
    public JsonObject json() {
      return JsonObject.of("change", "set", "pointer", pointer.toString(), "value", value);
    }
  }
}
