package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What an agent was asked to do.
 *
 * @param text the task, in words
 * @param context what it was told about the task
 * @param instructions how it was told to go about it
 */
public record Task(
    @Nullable String text, @Nullable JsonValue context, @Nullable String instructions) {

  /** Nothing is said. */
  public static final Task UNSTATED = new Task(null, null, null);

  /** A task in words. */
  public static Task of(String text) {
    return new Task(text, null, null);
  }
}
