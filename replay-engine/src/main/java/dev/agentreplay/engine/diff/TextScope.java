package dev.agentreplay.engine.diff;

import java.util.Set;

/** Which rules for texts hold in a member of an event, as {@link ComparisonRule} documents. */
enum TextScope {

  /** It is content: all. */
  ALL,

  /** It says where something is: those that replace folders. */
  FOLDERS,

  /** It says what an event is, or what came of it: none. */
  NONE;

  private static final Set<String> EXACT = Set.of(
      "tool",
      "model",
      "status",
      "ok",
      "finish_reason",
      "ci_status",
      "source",
      "runtime_event_type",
      "policy_version",
      "lane",
      "rail",
      "asset_id");

  /** The scope of what is in a member of an event. */
  static TextScope of(String member) {
    if (member.equals("path")) {
      return FOLDERS;
    }
    boolean isExact = EXACT.contains(member)
        || member.endsWith("_hash")
        || member.startsWith("hash_")
        || member.startsWith("exit_code");
    return isExact ? NONE : ALL;
  }
}
