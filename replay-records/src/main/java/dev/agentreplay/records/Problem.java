package dev.agentreplay.records;

import java.io.Serializable;
import java.util.Objects;

/**
 * What is wrong with a member of a record.
 *
 * @param path where it stands, as in {@code inputs.agent_roster[0].temperature}; empty for the
 *     value as a whole
 * @param message what was expected, and what was found
 */
public record Problem(String path, String message) implements Serializable {

  /** Checks for null. */
  public Problem {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(message, "message");
  }

  /** {@code path: message}; the message alone where the path is empty. */
  @Override
  public String toString() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
