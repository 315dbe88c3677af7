package dev.agentreplay.canonical.prompt;

import dev.agentreplay.model.json.JsonObject;

/** The prompt of a model call in full, or the reason why it is not known. */
public sealed interface FullPrompt {

  /**
   * A prompt that is known.
   *
   * @param json the prompt
   * @param isBaseSound whether it is not a change of a prompt that differs from its hash, see
   *     {@link PromptHistory#lastDiffers}
   */
  record Known(JsonObject json, boolean isBaseSound) implements FullPrompt {}

  /**
   * A prompt that is not known.
   *
   * @param reason the reason, as a clause
   * @param isInvalid whether the log contradicts itself: the prompt is a change of one that is not
   *     among the last model calls, or that does not have what the change refers to. Otherwise the
   *     log does not hold the prompt, or the one of which it is a change, for example because it
   *     holds only its hash
   */
  record Unknown(String reason, boolean isInvalid) implements FullPrompt {}
}
