package dev.agentreplay.model;

/**
 * The names of JSON members of logs, receipts and reports that more than one class uses, such as
 * the field table that writes a member and the check that reports it.
 */
public final class Names {
  public static final String AGENT = "agent";
  public static final String AMOUNT_MSATS = "amount_msats";
  public static final String ASSET_ID = "asset_id";
  public static final String BYTES_BEFORE = "bytes_before";
  public static final String CANONICAL_JSON_SHA256 = "canonical_json_sha256";
  public static final String CHUNKS_TEXT = "chunks_text";
  public static final String CI_STATUS = "ci_status";
  public static final String CREATED_AT = "created_at";
  public static final String DISCLOSURE = "disclosure";
  public static final String DURATION_MS = "duration_ms";
  public static final String EFFECT_ID = "effect_id";
  public static final String EFFECT_TYPE = "effect_type";
  public static final String ENDED_AT = "ended_at";
  public static final String EVENT_COUNT = "event_count";
  public static final String EXACT_STATUS = "exact_status";
  public static final String EXCEPTION = "exception";
  public static final String EXIT_CODE = "exit_code";
  public static final String EXIT_CODES = "exit_codes";
  public static final String FINDING_COUNTS = "finding_counts";
  public static final String FINISH_REASON = "finish_reason";
  public static final String FIRST_SEQ = "first_seq";
  public static final String FUNCTION_CALL = "function_call";
  public static final String FUNCTION_CALL_OUTPUT = "function_call_output";
  public static final String HASH_AFTER = "hash_after";
  public static final String HASH_BEFORE = "hash_before";
  public static final String IDEMPOTENCY_KEY = "idempotency_key";
  public static final String IMPORTED = "imported";
  public static final String IMPORTED_FROM = "imported_from";
  public static final String ISSUE_NUMBER = "issue_number";
  public static final String JAVA_TYPES = "java_types";
  public static final String JOB_HASH = "job_hash";
  public static final String LAST_SEQ = "last_seq";
  public static final String LATENCY_MS = "latency_ms";
  public static final String LINES_BEFORE = "lines_before";
  public static final String LINE_OFFSET = "line_offset";
  public static final String MEDIA_TYPES = "media_types";
  public static final String MODE = "mode";
  public static final String NOT_EXECUTED = "not_executed";
  public static final String OUTCOME_KNOWN = "outcome_known";
  public static final String OUTPUT_HASH = "output_hash";
  public static final String PARAMS_HASH = "params_hash";
  public static final String PARENT = "parent";
  public static final String PAYMENT_PROOF = "payment_proof";
  public static final String PLAN_HASH = "plan_hash";
  public static final String POLICY_BUNDLE_ID = "policy_bundle_id";
  public static final String POLICY_VERSION = "policy_version";
  public static final String PROMPT_DELTA = "prompt_delta";
  public static final String PUBLIC_FORM = "public_form";
  public static final String PUBLIC_ROOT = "public_root";
  public static final String PUBLISHED = "published";
  public static final String REPLAYED = "replayed";
  public static final String REPLAY_HASH = "replay_hash";
  public static final String REPLAY_OF = "replay_of";
  public static final String FORKED_FROM = "forked_from";
  public static final String REPLAY_VERSION = "replay_version";
  public static final String RESPONSE_ID = "response_id";
  public static final String RUNTIME_EVENT_TYPE = "runtime_event_type";
  public static final String SCHEMA_VERSION = "schema_version";
  public static final String SESSION_ID = "session_id";
  public static final String SIDE_EFFECTS = "side_effects";
  public static final String STARTED_AT = "started_at";
  public static final String STDERR_PREVIEW = "stderr_preview";
  public static final String STDOUT_PREVIEW = "stdout_preview";
  public static final String STEP_COUNT = "step_count";
  public static final String STEP_ID = "step_id";
  public static final String STEP_UTILITY = "step_utility";
  public static final String TESTS_AFTER = "tests_after";
  public static final String TESTS_BEFORE = "tests_before";
  public static final String TOKEN_DETAILS = "token_details";
  public static final String TOKENS_IN = "tokens_in";
  public static final String TOKENS_OUT = "tokens_out";
  public static final String TOOL_CALL = "tool_call";
  public static final String TOOL_CALLS = "tool_calls";
  public static final String TOOL_CALL_ID = "tool_call_id";
  public static final String TOOL_EXECUTION_RESULT = "tool_execution_result";
  public static final String TOOL_RESULT = "tool_result";
  public static final String TOOL_USE = "tool_use";
  public static final String TOP_K = "top_k";
  public static final String TOP_P = "top_p";
  public static final String TOTAL_LATENCY_MS = "total_latency_ms";
  public static final String TOTAL_SATS = "total_sats";
  public static final String TOTAL_TOKENS = "total_tokens";
  public static final String TOTAL_TOOL_CALLS = "total_tool_calls";
  public static final String TRAJECTORY_HASH = "trajectory_hash";
  public static final String TREE_ROOT = "tree_root";
  public static final String TREE_SIZE = "tree_size";
  public static final String UNKNOWN_EVENTS = "unknown_events";
  public static final String UNRECORDED_EVENTS = "unrecorded_events";
  public static final String VERIFICATION_DELTA = "verification_delta";

  private Names() {}
}
