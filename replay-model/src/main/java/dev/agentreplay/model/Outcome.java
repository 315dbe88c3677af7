package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a tool call.
 *
 * @param ok whether the call succeeded; null when the log does not state it
 * @param exitCode the exit code of the process that the tool ran; null when there is none
 * @param error the error: {@code name}, {@code message}, {@code stack}; null when there is none
 */
public record Outcome(
    @Nullable Boolean ok, @Nullable Integer exitCode, @Nullable JsonObject error) {

  /** An outcome of which nothing is specified. */
  public static final Outcome NONE = new Outcome(null, null, null);

  /** A successful call. */
  public static final Outcome OK = new Outcome(true, null, null);

  /** Creates the outcome of a process with the given exit code; 0 is success. */
  public static Outcome exit(int exitCode) {
    return new Outcome(exitCode == 0, exitCode, null);
  }

  /** Creates the outcome of a failed call. */
  public static Outcome failed(String name, String message) {
    return new Outcome(false, null, JsonObject.of("name", name, "message", message));
  }

  /**
   * Whether the call succeeded: {@code ok} when it is stated, else whether there is neither an exit
   * code other than 0 nor an error.
   */
  public boolean succeeded() {
    return ok != null ? ok : (exitCode == null || exitCode == 0) && error == null;
  }
}
