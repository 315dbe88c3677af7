package dev.agentreplay.model.finding;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fault or another fact that a reader or verifier reports about a log or receipt. Immutable and
 * safe for use by several threads.
 *
 * @param code the stable code of the finding, for programs
 * @param position the place in the log; null when the finding is not about a single place
 * @param message the values found and expected, for people; its wording may change
 * @param member the name of the member of the event or receipt that the finding is about; null when
 *     it is about none or several
 * @param id the id of the call that the finding is about; null when it is not about a call
 * @param expected the expected value, for programs: the value that a hash field, a receipt or a
 *     total states, or the required form of a field; null when it is not known, and when nothing is
 *     expected
 * @param found the value found, for programs: the one that results from the bytes or events of the
 *     log, or that of the field; null when nothing was found
 * @param hint a possible cause, for people; null when none is known
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

  /** Creates a finding without member, id, values and hint. */
  public Finding(FindingCode code, @Nullable Position position, String message) {
    this(code, position, message, null, null, null, null, null);
  }

  /**
   * Creates a finding without position, for one that is not about a single place, or to which the
   * caller adds the position.
   */
  public static Finding of(FindingCode code, String message) {
    return new Finding(code, null, message);
  }

  /** Returns a copy with the given position. */
  public Finding at(@Nullable Position newPosition) {
    return new Finding(code, newPosition, message, member, id, expected, found, hint);
  }

  /** Returns a copy with the given name of a member. */
  public Finding withMember(@Nullable String newMember) {
    return new Finding(code, position, message, newMember, id, expected, found, hint);
  }

  /** Returns a copy with the given id of a call. */
  public Finding withId(@Nullable String newId) {
    return new Finding(code, position, message, member, newId, expected, found, hint);
  }

  /** Returns a copy with the given values expected and found. */
  public Finding withValues(@Nullable String newExpected, @Nullable String newFound) {
    return new Finding(code, position, message, member, id, newExpected, newFound, hint);
  }

  /** Returns a copy with the given hint; null removes it. */
  public Finding withHint(@Nullable String newHint) {
    return new Finding(code, position, message, member, id, expected, found, newHint);
  }

  /** The severity of the {@linkplain #code code}. */
  public Severity severity() {
    return code.severity();
  }
}
