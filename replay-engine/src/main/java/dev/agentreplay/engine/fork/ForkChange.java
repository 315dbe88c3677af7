package dev.agentreplay.engine.fork;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One change that a fork makes at its point, or from there on. */
public sealed interface ForkChange {

  /** The members of a call that a {@link RequestValue} may be in. */
  List<String> REQUEST_MEMBERS = List.of("params", "model", "prompt", "parameters");

  /** The members of a result that a {@link ResultValue} may be in. */
  List<String> RESULT_MEMBERS = List.of("output", "answer", Names.EXIT_CODE);

  /** The place of a nondeterministic value. */
  List<String> VALUE = List.of("value");

  /** The change as JSON, as the header of a fork states it. */
  JsonObject json();

  /** A change of one recorded exchange or value. */
  sealed interface OfLine extends ForkChange {

    /** The line of the recorded call or value, from that of the fork. */
    long line();
  }

  /**
   * Returns the change that sets a value of an exchange: of its call if the pointer begins with a
   * name of {@link #REQUEST_MEMBERS}, of its result if it begins with one of
   * {@link #RESULT_MEMBERS}; or a nondeterministic value if it is {@code /value}.
   *
   * @param line the line of the recorded call or value
   * @throws IllegalArgumentException if it begins with any other name
   */
  static ForkChange set(long line, JsonPointer pointer, JsonValue value) {
    String member = pointer.tokens().isEmpty() ? "" : pointer.tokens().get(0);
    if (REQUEST_MEMBERS.contains(member)) {
      return new RequestValue(line, pointer, Objects.requireNonNull(value, "value"));
    } else if (RESULT_MEMBERS.contains(member)) {
      return new ResultValue(line, pointer, value);
    } else if (pointer.tokens().equals(VALUE)) {
      return new Value(line, value);
    }
    throw new IllegalArgumentException(
        "expected a pointer into %s of a call, %s of a result, or /value of a value, found \"%s\""
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
   * A value of a call. What it changes in a model call is changed in later calls of its lane that
   * continue it, too.
   *
   * @param line the line of the recorded call
   * @param pointer the place in the call
   * @param value the new value; null to remove a member
   */
  record RequestValue(long line, JsonPointer pointer, @Nullable JsonValue value) implements OfLine {

    /** Checks for null. */
    public RequestValue {
      Objects.requireNonNull(pointer, "pointer");
    }

    @Override
    public JsonObject json() {
      JsonObject json = JsonObject.of(
          "change", value == null ? "remove" : "set", "line", line, "pointer", pointer.toString());
      return value == null ? json : json.with("value", value);
    }
  }

  /**
   * The whole prompt of a model call. Later calls of its lane that continue it continue the new
   * prompt.
   *
   * @param line the line of the recorded call
   * @param prompt the prompt: {@code system}, {@code messages}, {@code context}
   */
  record Prompt(long line, JsonObject prompt) implements OfLine {

    /** Checks for null. */
    public Prompt {
      Objects.requireNonNull(prompt, "prompt");
    }

    /** States the hash of the prompt, which is in the call. */
    @Override
    public JsonObject json() {
      return JsonObject.of(
          "change",
          "prompt",
          "line",
          line,
          "prompt_hash",
          CanonicalJson.SERDE.hash(prompt).toString());
    }
  }

  /**
   * A value of a result, which is served with it.
   *
   * @param line the line of the recorded call
   * @param pointer the place in the result
   * @param value the new value
   */
  record ResultValue(long line, JsonPointer pointer, JsonValue value) implements OfLine {

    /** Checks for null. */
    public ResultValue {
      Objects.requireNonNull(pointer, "pointer");
      Objects.requireNonNull(value, "value");
    }

    @Override
    public JsonObject json() {
      return JsonObject.of(
          "change", "set", "line", line, "pointer", pointer.toString(), "value", value);
    }
  }

  /**
   * The whole result of an exchange, such as that of another recording.
   *
   * @param line the line of the recorded call
   * @param result the {@link ToolResult} or {@link ModelResult}; its content has its value
   */
  record Result(long line, ReplayEvent result) implements OfLine {

    /**
     * Checks the components.
     *
     * @throws IllegalArgumentException if the event is not a result
     */
    public Result {
      if (!(result instanceof ToolResult) && !(result instanceof ModelResult)) {
        throw new IllegalArgumentException("expected a result, found "
            + Objects.requireNonNull(result, "result").kind().id());
      }
    }

    /** States the hash of its content, which is in the result. */
    @Override
    public JsonObject json() {
      JsonObject json = JsonObject.of("change", "result", "line", line);
      JsonValue value = result.content().value();
      return value == null
          ? json
          : json.with(
              "content_hash",
              CanonicalJson.comparableHash(value, CanonicalJson.SERDE).toString());
    }
  }

  /**
   * A nondeterministic value that the agent gets.
   *
   * @param line the line of the recorded value
   * @param value the new value
   */
  record Value(long line, JsonValue value) implements OfLine {

    /** Checks for null. */
    public Value {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public JsonObject json() {
      return JsonObject.of("change", "value", "line", line, "value", value);
    }
  }
}
