package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * How a tool call ended.
 *
 * @param ok whether it succeeded, where the log says so
 * @param exitCode the exit code of a process
 * @param error what went wrong: {@code name}, {@code message}, {@code stack}
 */
public record Outcome(
    @Nullable Boolean ok, @Nullable Integer exitCode, @Nullable JsonObject error) {

  /** Nothing is said. */
  public static final Outcome NONE = new Outcome(null, null, null);

  /** It succeeded. */
  public static final Outcome OK = new Outcome(true, null, null);

  /** A process ended with this exit code; 0 is success. */
  public static Outcome exit(int exitCode) {
    return new Outcome(exitCode == 0, exitCode, null);
  }

  /** It failed. */
  public static Outcome failed(String name, String message) {
    return new Outcome(false, null, JsonObject.of("name", name, "message", message));
  }

  /** Whether it succeeded: as stated, else judged by exit code and error. */
  public boolean succeeded() {
    return ok != null ? ok : (exitCode == null || exitCode == 0) && error == null;
  }
}
