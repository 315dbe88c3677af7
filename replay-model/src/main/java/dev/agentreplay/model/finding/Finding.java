package dev.agentreplay.model.finding;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something a reader or verifier found.
 *
 * @param code what it is; stable, for programs
 * @param position where it is; null when no single place is meant
 * @param message what was found and what was expected, for people
 * @param member the name of the member of the event or receipt it is about; null when it is about
 *     none, or several
 * @param id the id of the call it is about; null when it is about no call
 * @param expected what should be there, for programs: what a hash field, a receipt or a total
 *     states, or what a field must be; null where that cannot be said, and where nothing should be
 * @param found what is there instead, for programs: what the bytes or events of the log come to;
 *     null where nothing is
 * @param hint how it may have come about, for people; null where nothing is known of that
 */
public record Finding(
    FindingCode code,
    @Nullable Position position,
    String message,
    @Nullable String member,
    @Nullable String id,
    @Nullable String expected,
    @Nullable String found,
    @Nullable String hint) {

  /** Checks for null. */
  public Finding {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
  }

  /** A finding of which only the message says what it is about. */
  public Finding(FindingCode code, @Nullable Position position, String message) {
    this(code, position, message, null, null, null, null, null);
  }

  /** A finding that is not at a single place, or whose place the caller knows. */
  public static Finding of(FindingCode code, String message) {
    return new Finding(code, null, message);
  }

  /** This finding at a place. */
  public Finding at(@Nullable Position newPosition) {
    return new Finding(code, newPosition, message, member, id, expected, found, hint);
  }

  /** This finding about a member. */
  public Finding withMember(@Nullable String newMember) {
    return new Finding(code, position, message, newMember, id, expected, found, hint);
  }

  /** This finding about a call. */
  public Finding withId(@Nullable String newId) {
    return new Finding(code, position, message, member, newId, expected, found, hint);
  }

  /** This finding with what should be there, and what is. */
  public Finding withValues(@Nullable String newExpected, @Nullable String newFound) {
    return new Finding(code, position, message, member, id, newExpected, newFound, hint);
  }

  /** This finding with a hint, or without one. */
  public Finding withHint(@Nullable String newHint) {
    return new Finding(code, position, message, member, id, expected, found, newHint);
  }

  /** How bad it is. */
  public Severity severity() {
    return code.severity();
  }
}
