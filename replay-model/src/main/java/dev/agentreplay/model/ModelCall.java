package dev.agentreplay.model;

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
    String id, @Nullable String model, Content prompt, ModelParameters parameters, Meta meta)
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
    return new ModelCall(id, model, Content.of(prompt.json()), ModelParameters.UNSTATED, Meta.NONE);
  }

  /** With parameters. */
  public ModelCall withParameters(ModelParameters newParameters) {
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
}
