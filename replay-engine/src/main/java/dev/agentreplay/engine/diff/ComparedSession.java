package dev.agentreplay.engine.diff;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One of two sessions that were compared.
 *
 * @param name what it is called in reports: its path, unless another name was given
 * @param sessionId its id; null when the log names none
 * @param events how many events its log has
 * @param latencyMillis the sum of the latencies of its calls, in milliseconds
 */
public record ComparedSession(
    String name, @Nullable String sessionId, long events, long latencyMillis) {

  /** Checks for null. */
  public ComparedSession {
    Objects.requireNonNull(name, "name");
  }

  /** With another name. */
  public ComparedSession withName(String newName) {
    return new ComparedSession(newName, sessionId, events, latencyMillis);
  }
}
