package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of a model.
 *
 * @param id the id that its result refers to, as with a {@link ToolCall}
 * @param model the name of the model
 * @param prompt the prompt; {@link Prompt} reads and creates the value
 * @param promptDelta the prompt as a change of an earlier one, in place of its value, as a recorder
 *     writes it; null if the log holds the prompt itself, or only its hash. The hash in
 *     {@code prompt} is that of the full prompt
 * @param parameters the parameters of the call, such as the temperature
 * @param meta the data common to all events
 */
public record ModelCall(
    String id,
    @Nullable String model,
    Content prompt,
    @Nullable PromptDelta promptDelta,
    Parameters parameters,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public ModelCall {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(prompt, "prompt");
    Objects.requireNonNull(parameters, "parameters");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates a call whose prompt is not a change of an earlier one. */
  public ModelCall(
      String id, @Nullable String model, Content prompt, Parameters parameters, Meta meta) {
    this(id, model, prompt, null, parameters, meta);
  }

  /** Creates a call; the writer computes the hash of its prompt and sets its time. */
  public static ModelCall of(String id, String model, Prompt prompt) {
    Objects.requireNonNull(model, "model");
    return new ModelCall(id, model, Content.of(prompt.json()), Parameters.NONE, Meta.NONE);
  }

  /** Returns a copy with the given parameters. */
  public ModelCall withParameters(Parameters newParameters) {
    return new ModelCall(id, model, prompt, promptDelta, newParameters, meta);
  }

  /** Returns a copy with the given prompt. */
  public ModelCall withPrompt(Content newPrompt) {
    return new ModelCall(id, model, newPrompt, promptDelta, parameters, meta);
  }

  /** Returns a copy with its prompt in full, and not as a change of an earlier one. */
  public ModelCall inFull(JsonObject fullPrompt) {
    Content content = new Content(fullPrompt, prompt.hash(), null, null);
    return new ModelCall(id, model, content, null, parameters, meta);
  }

  /**
   * Returns a copy with its prompt as a change of an earlier one.
   *
   * @param hash the hash of the full prompt; null if it is not known
   */
  public ModelCall asChange(PromptDelta delta, @Nullable ContentHash hash) {
    Content content = hash == null ? Content.NONE : Content.ofHash(hash);
    return new ModelCall(id, model, content, delta, parameters, meta);
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
    return new ModelCall(id, model, prompt, promptDelta, parameters, newMeta);
  }

  /**
   * The prompt of a model call. Members that this version does not know stay in {@code json}.
   *
   * @param json the prompt as it is written: {@code system}, {@code messages}, {@code context}
   */
  public record Prompt(JsonObject json) {

    /** Checks for null. */
    public Prompt {
      Objects.requireNonNull(json, "json");
    }

    /** Creates a prompt of messages, each in the form of the model's provider. */
    public static Prompt of(JsonArray messages) {
      return new Prompt(JsonObject.of("messages", messages));
    }

    /** Creates a prompt of one text from the user. */
    public static Prompt of(String text) {
      return of(JsonArray.of(JsonObject.of("role", "user", "content", text)));
    }

    /** Returns a copy with the given system prompt. */
    public Prompt withSystem(String system) {
      return new Prompt(json.with("system", system));
    }

    /**
     * Returns a copy with the given context: anything else that the model is shown, such as
     * documents and descriptions of tools.
     */
    public Prompt withContext(JsonValue context) {
      return new Prompt(json.with("context", context));
    }

    /** The system prompt; null when the prompt does not have one. */
    public @Nullable String system() {
      return json.get("system") instanceof JsonString text ? text.value() : null;
    }

    /** The messages; empty when the prompt does not have any. */
    public JsonArray messages() {
      return json.get("messages") instanceof JsonArray array ? array : JsonArray.EMPTY;
    }

    /** The last message; null when the prompt does not have any. */
    public @Nullable JsonValue lastMessage() {
      JsonArray messages = messages();
      return messages.size() == 0 ? null : messages.get(messages.size() - 1);
    }

    /**
     * The context: anything else that the model is shown; null when the prompt does not have one.
     */
    public @Nullable JsonValue context() {
      return json.get("context");
    }
  }

  /**
   * The parameters of a model call. Parameters that this version does not know stay in
   * {@code json}.
   *
   * @param json the parameters as they are written: {@code temperature}, {@code max_tokens},
   *     {@code seed}, {@code top_p}, {@code top_k}
   */
  public record Parameters(JsonObject json) {

    /** No parameters. */
    public static final Parameters NONE = new Parameters(JsonObject.EMPTY);

    /** Checks for null. */
    public Parameters {
      Objects.requireNonNull(json, "json");
    }

    /** Returns a copy with the given temperature, not negative. */
    public Parameters withTemperature(double temperature) {
      return new Parameters(json.with("temperature", temperature));
    }

    /** Returns a copy with the given maximum length of the answer, in tokens, not negative. */
    public Parameters withMaxTokens(long maxTokens) {
      return new Parameters(json.with("max_tokens", maxTokens));
    }

    /** Returns a copy with the given seed of the model's random choices. */
    public Parameters withSeed(long seed) {
      return new Parameters(json.with("seed", seed));
    }

    /** Returns a copy with the given probability mass that tokens are drawn from, 0 to 1. */
    public Parameters withTopP(double topP) {
      return new Parameters(json.with(Names.TOP_P, topP));
    }

    /** Returns a copy with the given number of tokens that each token is drawn from. */
    public Parameters withTopK(long topK) {
      return new Parameters(json.with(Names.TOP_K, topK));
    }

    /** The temperature; null when it is not specified. */
    public @Nullable Double temperature() {
      return number("temperature");
    }

    /**
     * The maximum length of the answer, in tokens; null when it is not specified, or not a 64-bit
     * integer.
     */
    public @Nullable Long maxTokens() {
      return integer("max_tokens");
    }

    /**
     * The seed of the model's random choices; null when it is not specified, or not a 64-bit
     * integer.
     */
    public @Nullable Long seed() {
      return integer("seed");
    }

    /** The probability mass that tokens are drawn from; null when it is not specified. */
    public @Nullable Double topP() {
      return number(Names.TOP_P);
    }

    /**
     * The number of tokens that each token is drawn from; null when it is not specified, or not a
     * 64-bit integer.
     */
    public @Nullable Long topK() {
      return integer(Names.TOP_K);
    }

    private @Nullable Double number(String name) {
      return json.get(name) instanceof JsonNumber number ? number.asDouble() : null;
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
