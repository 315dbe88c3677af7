package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A model is asked.
 *
 * @param id what its result refers to, as with a {@link ToolCall}
 * @param model the name of the model
 * @param prompt what it is asked; {@link Prompt} reads and makes the value
 * @param parameters how it is to answer
 * @param meta what every event has
 */
public record ModelCall(
    String id, @Nullable String model, Content prompt, Parameters parameters, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public ModelCall {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(prompt, "prompt");
    Objects.requireNonNull(parameters, "parameters");
    Objects.requireNonNull(meta, "meta");
  }

  /** A call; whoever writes it computes its hash and time. */
  public static ModelCall of(String id, String model, Prompt prompt) {
    Objects.requireNonNull(model, "model");
    return new ModelCall(id, model, Content.of(prompt.json()), Parameters.NONE, Meta.NONE);
  }

  /** With parameters. */
  public ModelCall withParameters(Parameters newParameters) {
    return new ModelCall(id, model, prompt, newParameters, meta);
  }

  /** With another prompt, or what stands for it. */
  public ModelCall withPrompt(Content newPrompt) {
    return new ModelCall(id, model, newPrompt, parameters, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.MODEL_CALL;
  }

  @Override
  public Content content() {
    return prompt;
  }

  @Override
  public String callId() {
    return id;
  }

  @Override
  public @Nullable String name() {
    return model;
  }

  @Override
  public ModelCall withMeta(Meta newMeta) {
    return new ModelCall(id, model, prompt, parameters, newMeta);
  }

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

  /**
   * How a model is to answer. Parameters that are not known stay in {@code json}.
   *
   * @param json as it is written: {@code temperature}, {@code max_tokens}, {@code seed}
   */
  public record Parameters(JsonObject json) {

    /** Nothing is said. */
    public static final Parameters NONE = new Parameters(JsonObject.EMPTY);

    /** Checks for null. */
    public Parameters {
      Objects.requireNonNull(json, "json");
    }

    /** With a temperature, not negative. */
    public Parameters withTemperature(double temperature) {
      return new Parameters(json.with("temperature", temperature));
    }

    /** With the longest answer, in tokens, not negative. */
    public Parameters withMaxTokens(long maxTokens) {
      return new Parameters(json.with("max_tokens", maxTokens));
    }

    /** With the seed of the model's random choices. */
    public Parameters withSeed(long seed) {
      return new Parameters(json.with("seed", seed));
    }

    /** The temperature; null when it is not said. */
    public @Nullable Double temperature() {
      return json.get("temperature") instanceof JsonNumber number ? number.asDouble() : null;
    }

    /** The longest answer, in tokens; null when it is not said. */
    public @Nullable Long maxTokens() {
      return integer("max_tokens");
    }

    /** The seed of the model's random choices; null when it is not said, or beyond 64 bits. */
    public @Nullable Long seed() {
      return integer("seed");
    }

    private @Nullable Long integer(String name) {
      try {
        return json.get(name) instanceof JsonNumber number ? number.asLong() : null;
      } catch (ArithmeticException notALong) {
        return null;
      }
    }
  }
}
