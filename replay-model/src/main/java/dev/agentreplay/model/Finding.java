package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something a reader or verifier found.
 *
 * @param code what it is; stable, for programs
 * @param position where it is; null when no single place is meant
 * @param message what was found and what was expected, for people
 */
public record Finding(FindingCode code, @Nullable Position position, String message) {

  /** Checks for null. */
  public Finding {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
  }

  /** A finding that is not at a single place, or whose place the caller knows. */
  public static Finding of(FindingCode code, String message) {
    return new Finding(code, null, message);
  }

  /** This finding at a place. */
  public Finding at(@Nullable Position newPosition) {
    return new Finding(code, newPosition, message);
  }

  /** How bad it is. */
  public Severity severity() {
    return code.severity();
  }
}
