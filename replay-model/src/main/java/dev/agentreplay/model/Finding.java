package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something a reader or verifier found.
 *
 * @param code what it is; stable, for programs
 * @param position where it is; null when no single place is meant
 * @param message what was found and what was expected, for people
 * @param hint how it may have come about, for people; null where nothing is known of that
 */
public record Finding(
    FindingCode code, @Nullable Position position, String message, @Nullable String hint) {

  /** Checks for null. */
  public Finding {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
  }

  /** A finding without a hint. */
  public Finding(FindingCode code, @Nullable Position position, String message) {
    this(code, position, message, null);
  }

  /** A finding that is not at a single place, or whose place the caller knows. */
  public static Finding of(FindingCode code, String message) {
    return new Finding(code, null, message);
  }

  /** This finding at a place. */
  public Finding at(@Nullable Position newPosition) {
    return new Finding(code, newPosition, message, hint);
  }

  /** This finding with a hint, or without one. */
  public Finding withHint(@Nullable String newHint) {
    return new Finding(code, position, message, newHint);
  }

  /** How bad it is. */
  public Severity severity() {
    return code.severity();
  }
}
