package dev.agentreplay.verify;

import java.util.Locale;

/**
 * What a verification counts. {@code EVENTS} is the sum of known and unknown ones;
 * {@code TOOL_CALLS} that of the four counts of parameter hashes, {@code TOOL_RESULTS} that of the
 * four counts of output hashes. Once the whole log was read, {@code TOOL_CALLS} is the sum of
 * answered and unanswered ones, so is {@code MODEL_CALLS}, and {@code RECEIPT_CALLS} is that of
 * receipt calls matched, mismatched and missing: behind a line that cannot be read, calls are not
 * looked for.
 */
public enum Counter {
  /** Lines that are events. */
  EVENTS,
  /** Events of a type that is known. */
  KNOWN_EVENTS,
  /** Events of another type, or that lack what identifies them. */
  UNKNOWN_EVENTS,
  /** Lines that are not events. */
  UNREADABLE_LINES,
  /** Tool calls. */
  TOOL_CALLS,
  /** Tool results. */
  TOOL_RESULTS,
  /** Results that belong to a call. */
  ANSWERED_CALLS,
  /** Tool calls that no result belongs to, once the whole log was read. */
  UNANSWERED_CALLS,
  /** Calls of a model. */
  MODEL_CALLS,
  /** Results of a model. */
  MODEL_RESULTS,
  /** Results of a model that belong to a call. */
  ANSWERED_MODEL_CALLS,
  /** Calls of a model that no result belongs to, once the whole log was read. */
  UNANSWERED_MODEL_CALLS,
  /** Parameters that have the hash beside them. */
  PARAMS_HASHES_VERIFIED,
  /** Parameters that do not have the hash beside them. */
  PARAMS_HASHES_MISMATCHED,
  /** Hashes of parameters that are not in the log. */
  PARAMS_HASHES_UNVERIFIABLE,
  /** Calls without a hash of their parameters. */
  PARAMS_HASHES_MISSING,
  /** Outputs that have the hash beside them. */
  OUTPUT_HASHES_VERIFIED,
  /** Outputs that do not have the hash beside them. */
  OUTPUT_HASHES_MISMATCHED,
  /** Hashes of outputs that are not in the log. */
  OUTPUT_HASHES_UNVERIFIABLE,
  /** Results without a hash of their output. */
  OUTPUT_HASHES_MISSING,
  /** Prompts, answers and payloads that have the hash beside them. */
  PAYLOAD_HASHES_VERIFIED,
  /** Prompts, answers and payloads that do not have the hash beside them. */
  PAYLOAD_HASHES_MISMATCHED,
  /** Hashes of prompts, answers and payloads that are missing. */
  PAYLOAD_HASHES_UNVERIFIABLE,
  /** Previews that follow from their value. */
  PREVIEWS_VERIFIED,
  /** Previews that do not follow from their value. */
  PREVIEWS_MISMATCHED,
  /** Previews whose value is missing. */
  PREVIEWS_UNVERIFIABLE,
  /** Calls in the receipt. */
  RECEIPT_CALLS,
  /** Calls in the receipt that are as in the log. */
  RECEIPT_CALLS_MATCHED,
  /** Calls in the receipt that differ from those in the log. */
  RECEIPT_CALLS_MISMATCHED,
  /** Calls in the receipt that are not in the log. */
  RECEIPT_CALLS_MISSING,
  /** Answered calls in the log that are not in the receipt. */
  RECEIPT_CALLS_UNEXPECTED,
  /** Digests in the receipt that were verified: of the bytes of the log. */
  LOG_DIGESTS_VERIFIED,
  /** Digests in the receipt that were verified: of every event of the log but the header. */
  EVENT_DIGESTS_VERIFIED,
  /**
   * Digests in the receipt of the events of the runtime that were verified: of the
   * {@code RuntimeEvent} lines, and not of what stands around them.
   */
  RUN_DIGESTS_VERIFIED,
  /** Digests of the receipt itself that were verified. */
  RECEIPT_DIGESTS_VERIFIED,
  /** Stated tree roots that are those of the lines: of the receipt, and of earlier checkpoints. */
  TREE_ROOTS_VERIFIED,
  /** Earlier checkpoints whose lines the log begins with. */
  EARLIER_TREES_VERIFIED,
  /** Lines, from the first, that the largest verified root covers. */
  LINES_IN_TREE,
  /** Checkpoints in the log. */
  CHECKPOINTS,
  /** Checkpoints in the log whose tree root is that of the lines before them. */
  CHECKPOINTS_VERIFIED,
  /** Signatures that a trusted key has made over what they are beside. */
  SIGNATURES_VERIFIED,
  /** Signatures of keys or algorithms that are not trusted or not known. */
  SIGNATURES_UNVERIFIABLE,
  /** Lines, from the first, that a verified signature covers. */
  LINES_SIGNED;

  /** What it is called in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
