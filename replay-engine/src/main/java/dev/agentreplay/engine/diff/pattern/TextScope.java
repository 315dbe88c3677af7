package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.Names;
import java.util.Set;

/**
 * The rules for texts that apply in a member of an event, as
 * {@link dev.agentreplay.engine.diff.rule.ComparisonRule} documents.
 */
public enum TextScope {

  /** All rules for texts: the member is content. */
  ALL,

  /** Only normalizers of folders: the member is a path. */
  FOLDERS,

  /** No rules for texts: the member identifies the event or states its outcome. */
  NONE;

  /** The members with a name, a code or a hash: any single character changes its meaning. */
  private static final Set<String> EXACT = Set.of(
      Names.ASSET_ID,
      Names.CI_STATUS,
      Names.EXIT_CODE,
      Names.EXIT_CODES,
      Names.FINISH_REASON,
      Names.HASH_AFTER,
      Names.HASH_BEFORE,
      "lane",
      "mode",
      "model",
      "ok",
      Names.POLICY_VERSION,
      "rail",
      Names.RUNTIME_EVENT_TYPE,
      "source",
      "status",
      "tool");

  /** Returns the scope of a member of an event. */
  public static TextScope of(String member) {
    if (member.equals("path")) {
      return FOLDERS;
    }
    return EXACT.contains(member) || member.endsWith("_hash") ? NONE : ALL;
  }
}
