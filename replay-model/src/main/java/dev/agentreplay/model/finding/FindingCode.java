package dev.agentreplay.model.finding;

/** What can be found. Codes are stable; more may be added. */
public enum FindingCode {
  /** A line is not a JSON object in valid UTF-8. */
  MALFORMED_LINE(Severity.UNREADABLE),
  /** An object has a name twice. */
  DUPLICATE_KEY(Severity.UNREADABLE),
  /** The bytes after the last line feed are not an event. */
  TORN_TAIL(Severity.UNREADABLE),
  /** The receipt is not a receipt. */
  RECEIPT_UNREADABLE(Severity.UNREADABLE),

  /** {@code params_hash} is not the hash of {@code params}. */
  PARAMS_HASH_MISMATCH(Severity.ERROR),
  /** {@code output_hash} is not the hash of {@code output}. */
  OUTPUT_HASH_MISMATCH(Severity.ERROR),
  /** The hash beside another value, such as {@code payload}, is not the hash of it. */
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
  /** Another field that both carry differs. */
  RECEIPT_FIELD_MISMATCH(Severity.ERROR),
  /**
   * {@code replay_hash} is not the hash of the log's bytes, or what a segment of the log states of
   * those before it is not so.
   */
  REPLAY_HASH_MISMATCH(Severity.ERROR),
  /** The receipt's own digest is not that of its content. */
  RECEIPT_DIGEST_MISMATCH(Severity.ERROR),
  /** The stated tree root is not that of the lines. */
  TREE_ROOT_MISMATCH(Severity.ERROR),
  /** A signature does not fit. */
  SIGNATURE_INVALID(Severity.ERROR),
  /** A blob does not have the hash it is named by. */
  BLOB_MISMATCH(Severity.ERROR),
  /** A preview does not follow from the value that it is of. */
  PREVIEW_MISMATCH(Severity.ERROR),
  /** The session is not the one that the verifier was told to expect. */
  EXPECTATION_UNMET(Severity.ERROR),

  /** Every line ends with CR LF, and with LF the session would be as it was recorded. */
  LINE_ENDINGS_CONVERTED(Severity.ERROR),

  /** A required field is absent. */
  FIELD_MISSING(Severity.ERROR),
  /** A field has the wrong type or form. */
  FIELD_INVALID(Severity.ERROR),
  /** An event lacks what identifies it, or bears the tag of another dialect. */
  EVENT_INVALID(Severity.ERROR),
  /**
   * What an event keeps for its conversion to another form says what the event says itself, or what
   * a reader of that form would take for a part of the session.
   */
  CARRIED_OVER_CONFLICT(Severity.ERROR),
  /**
   * The log's hashes were made with a canonicalization that is not known, or is not the one that
   * was asked for.
   */
  UNSUPPORTED_CANONICALIZATION(Severity.ERROR),

  /** A result belongs to no earlier unanswered call. */
  RESULT_WITHOUT_CALL(Severity.ERROR),
  /** A result of a model belongs to no earlier unanswered call of it. */
  MODEL_RESULT_WITHOUT_CALL(Severity.ERROR),
  /** An event follows the end of the session. */
  EVENT_AFTER_END(Severity.ERROR),
  /** There is no header. */
  HEADER_MISSING(Severity.ERROR),
  /** A header is not the first event. */
  HEADER_NOT_FIRST(Severity.ERROR),
  /** The totals of the session's end are not those of its events. */
  TOTALS_MISMATCH(Severity.ERROR),
  /** A number is outside its range. */
  VALUE_OUT_OF_RANGE(Severity.ERROR),
  /** The log is of a version that this library does not read. */
  UNSUPPORTED_VERSION(Severity.ERROR),

  /** A call was never answered. */
  CALL_WITHOUT_RESULT(Severity.WARNING),
  /** A call of a model was never answered. */
  MODEL_CALL_WITHOUT_RESULT(Severity.WARNING),
  /** A call has the id of an earlier one. */
  DUPLICATE_CALL_ID(Severity.WARNING),
  /** The session has no start. */
  SESSION_START_MISSING(Severity.WARNING),
  /** The session has no end. */
  SESSION_END_MISSING(Severity.WARNING),
  /** The bytes of a line are not its canonical form. */
  NOT_CANONICAL(Severity.WARNING),
  /**
   * The envelope has other bytes than its writer makes: a member that is not known, another
   * spelling, or a signature that does not fit beside one that does. No signature covers them.
   */
  ENVELOPE_NOT_CANONICAL(Severity.WARNING),
  /** The last line is a whole event, but has no line feed. */
  NO_FINAL_NEWLINE(Severity.WARNING),
  /** The log is of a later minor version. */
  VERSION_NEWER(Severity.WARNING),
  /** An event is more than a second earlier than the one before it. */
  TIME_WENT_BACKWARDS(Severity.WARNING),
  /** Events were not recorded. */
  RECORDING_GAP(Severity.WARNING),
  /** Another session of the same batch has the same lines, or the same {@code session_id}. */
  SESSION_REPEATED(Severity.WARNING),

  /** An event of a type that this version does not know. */
  UNKNOWN_EVENT(Severity.INFO),
  /** A hash whose value is not there to compare. */
  HASH_UNVERIFIABLE(Severity.INFO),
  /** A writer has the log open: an incomplete last line is not read, and there will be more. */
  BEING_WRITTEN(Severity.INFO),
  /** A signature of a key or an algorithm that cannot be checked here; it proves nothing. */
  SIGNATURE_UNVERIFIABLE(Severity.INFO);

  private final Severity severity;

  FindingCode(Severity severity) {
    this.severity = severity;
  }

  /** How bad it is. */
  public Severity severity() {
    return severity;
  }
}
