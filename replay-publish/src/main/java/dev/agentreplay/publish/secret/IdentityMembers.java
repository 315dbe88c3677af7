package dev.agentreplay.publish.secret;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The members of a line that identify something: ids, times, hashes and signatures. They look
 * random, so that only rules with a prefix of their own apply to them.
 */
final class IdentityMembers {

  private static final Set<String> IDS = Set.of(
      "id",
      "t",
      "ts",
      "type",
      "event",
      Names.AGENT,
      Names.PARENT,
      Names.SESSION_ID,
      Names.STEP_ID,
      Names.TOOL_CALL_ID,
      Names.EFFECT_ID,
      Names.IDEMPOTENCY_KEY,
      Names.ASSET_ID,
      Names.POLICY_VERSION,
      Names.POLICY_BUNDLE_ID,
      Names.CREATED_AT,
      Names.ENDED_AT,
      "since",
      "signature",
      "salt",
      "root",
      Names.TREE_ROOT,
      "blob",
      Names.JOB_HASH,
      "canonicalization",
      "version");

  private static final Pattern BASE64_DIGITS = Pattern.compile("[A-Za-z0-9+/_-]{43,88}={0,2}");

  private IdentityMembers() {}

  /** Whether a member of a line, at its first level, identifies something. */
  static boolean isIdentity(String name) {
    return IDS.contains(name) || name.endsWith("_hash") || name.startsWith("hash_");
  }

  /** Whether a value is a hash, a salt or a signature by its form, so that it is exempt. */
  static boolean isExempt(String name, String value) {
    return ContentHash.tryParseAnyForm(value) != null
        || ((name.equals("salt") || name.equals("signature"))
            && BASE64_DIGITS.matcher(value).matches());
  }
}
