package dev.agentreplay.model.finding;

/**
 * The codes of findings. Codes are stable: programs may rely on them. Later versions may add codes.
 * docs/findings.md describes each code, its causes and what to do.
 */
public enum FindingCode {
  /** A line is not a JSON object in valid UTF-8. */
  MALFORMED_LINE(Severity.UNREADABLE),
  /** An object has two members with the same name. */
  DUPLICATE_KEY(Severity.UNREADABLE),
  /** The bytes after the last line feed are not an event: a torn write, as a crash leaves it. */
  TORN_TAIL(Severity.UNREADABLE),
  /** The receipt file is not a receipt. */
  RECEIPT_UNREADABLE(Severity.UNREADABLE),

  /** {@code params_hash} is not the hash of {@code params}. */
  PARAMS_HASH_MISMATCH(Severity.ERROR),
  /** {@code output_hash} is not the hash of {@code output}. */
  OUTPUT_HASH_MISMATCH(Severity.ERROR),
  /** The hash next to another value, such as {@code payload}, is not the hash of that value. */
  PAYLOAD_HASH_MISMATCH(Severity.ERROR),

  /** Log and receipt differ in the output of a call. */
  RECEIPT_OUTPUT_MISMATCH(Severity.ERROR),
  /** Log and receipt differ in the parameters of a call. */
  RECEIPT_PARAMS_MISMATCH(Severity.ERROR),
  /** Log and receipt differ in the tool of a call. */
  RECEIPT_TOOL_MISMATCH(Severity.ERROR),
  /** An answered call is in the receipt, but not in the log. */
  RECEIPT_CALL_MISSING(Severity.ERROR),
  /** An answered call is in the log, but not in the receipt. */
  RECEIPT_CALL_UNEXPECTED(Severity.ERROR),
  /** Log and receipt differ in another field that both have. */
  RECEIPT_FIELD_MISMATCH(Severity.ERROR),
  /**
   * {@code replay_hash} is not the hash of the log's bytes, or a segment of the log contradicts the
   * segments before it.
   */
  REPLAY_HASH_MISMATCH(Severity.ERROR),
  /** The digest that the receipt states of itself is not that of its content. */
  RECEIPT_DIGEST_MISMATCH(Severity.ERROR),
  /** The stated root of the Merkle tree is not that of the lines. */
  TREE_ROOT_MISMATCH(Severity.ERROR),
  /** The stated root of the public tree is not that of the commitments of the lines. */
  PUBLIC_ROOT_MISMATCH(Severity.ERROR),
  /**
   * The opening of a line of a published log is missing or malformed, or does not fit the values
   * that the line shows.
   */
  DISCLOSURE_INVALID(Severity.ERROR),
  /** A published log withholds a value that it was required to show. */
  DISCLOSURE_MISSING(Severity.ERROR),
  /**
   * A signature that names a trusted key does not match the signed bytes, or an envelope or public
   * checkpoint is malformed, or of another session.
   */
  SIGNATURE_INVALID(Severity.ERROR),
  /**
   * A blob does not have the length or hash stated for it, is not canonical JSON, or cannot be
   * read.
   */
  BLOB_MISMATCH(Severity.ERROR),
  /** A preview does not match its value. */
  PREVIEW_MISMATCH(Severity.ERROR),
  /** The session does not meet an expectation that was given to the verifier. */
  EXPECTATION_UNMET(Severity.ERROR),
  /** The recording that is given as the parent of a fork is not the one that the fork states. */
  PARENT_MISMATCH(Severity.ERROR),
  /** A fork does not repeat what the recording has before its point. */
  FORK_PREFIX_MISMATCH(Severity.ERROR),

  /**
   * The line endings were converted: every line ends with CR LF; with LF the session would be as it
   * was recorded.
   */
  LINE_ENDINGS_CONVERTED(Severity.ERROR),

  /** A required field is absent. */
  FIELD_MISSING(Severity.ERROR),
  /** A field has the wrong type or form. */
  FIELD_INVALID(Severity.ERROR),
  /** An event lacks a member that identifies it, or has the tag of another dialect. */
  EVENT_INVALID(Severity.ERROR),
  /**
   * A member that an event keeps for its conversion to another form has the name of a member that
   * the event writes itself, or that a reader of that form would take for a part of the session.
   */
  CARRIED_OVER_CONFLICT(Severity.ERROR),
  /**
   * The canonicalization that the log's hashes were computed with is unknown, or is not the
   * requested one.
   */
  UNSUPPORTED_CANONICALIZATION(Severity.ERROR),

  /** A result does not belong to an earlier unanswered call. */
  RESULT_WITHOUT_CALL(Severity.ERROR),
  /** A model's result does not belong to an earlier unanswered call of a model. */
  MODEL_RESULT_WITHOUT_CALL(Severity.ERROR),
  /**
   * The prompt of a model call is a change of an earlier prompt that the log does not have, or does
   * not fit the earlier prompt.
   */
  PROMPT_DELTA_INVALID(Severity.ERROR),
  /** An event follows the end of the session. */
  EVENT_AFTER_END(Severity.ERROR),
  /** The log does not have a header. */
  HEADER_MISSING(Severity.ERROR),
  /** A header is not the first event. */
  HEADER_NOT_FIRST(Severity.ERROR),
  /** The totals that the end of the session states are not those of its events. */
  TOTALS_MISMATCH(Severity.ERROR),
  /** A number is outside its range, or the id of an effect is blank. */
  VALUE_OUT_OF_RANGE(Severity.ERROR),
  /** The log is of a version that this library does not read. */
  UNSUPPORTED_VERSION(Severity.ERROR),

  /** A status that the specification of the log's dialect does not name. */
  STATUS_UNKNOWN(Severity.WARNING),
  /** A call does not have a result. */
  CALL_WITHOUT_RESULT(Severity.WARNING),
  /** A call of a model does not have a result. */
  MODEL_CALL_WITHOUT_RESULT(Severity.WARNING),
  /** A call has the id of an earlier one. */
  DUPLICATE_CALL_ID(Severity.WARNING),
  /** Two calls are the same attempt to cause an effect. */
  ATTEMPT_REPEATED(Severity.WARNING),
  /** The session has no start. */
  SESSION_START_MISSING(Severity.WARNING),
  /** The session has no end. */
  SESSION_END_MISSING(Severity.WARNING),
  /** The bytes of a line are not its canonical form. */
  NOT_CANONICAL(Severity.WARNING),
  /**
   * The bytes of the envelope are not those that this library writes: an unknown member, another
   * spelling, or a signature that does not match next to one that does. No signature covers these
   * bytes.
   */
  ENVELOPE_NOT_CANONICAL(Severity.WARNING),
  /** The last line is a whole event, but has no line feed. */
  NO_FINAL_NEWLINE(Severity.WARNING),
  /** The log is of a later minor version. */
  VERSION_NEWER(Severity.WARNING),
  /** An event is more than a second earlier than the one before it. */
  TIME_WENT_BACKWARDS(Severity.WARNING),
  /** Events are missing from the log because they could not be written. */
  RECORDING_GAP(Severity.WARNING),
  /** Another session of the same batch has the same lines, or the same {@code session_id}. */
  SESSION_REPEATED(Severity.WARNING),

  /** An event has no time, which the specification of the log's dialect requires. */
  TIME_MISSING(Severity.INFO),
  /**
   * A number that the specification allows, from 2<sup>63</sup> to 2<sup>64</sup>-1, is kept, but
   * nothing is computed with it.
   */
  NUMBER_TOO_LARGE(Severity.INFO),
  /** An event of a type that this version does not know. */
  UNKNOWN_EVENT(Severity.INFO),
  /**
   * A hash that cannot be checked: its value is missing or too large, or the producer did not know
   * the hash.
   */
  HASH_UNVERIFIABLE(Severity.INFO),
  /** A writer has the log open: an incomplete last line is not read, and more lines may follow. */
  BEING_WRITTEN(Severity.INFO),
  /**
   * A signature of an unknown key or algorithm, which cannot be checked and does not prove
   * anything.
   */
  SIGNATURE_UNVERIFIABLE(Severity.INFO);

  private final Severity severity;

  FindingCode(Severity severity) {
    this.severity = severity;
  }

  /** The severity of findings with this code. */
  public Severity severity() {
    return severity;
  }
}
