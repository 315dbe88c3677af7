package dev.agentreplay.publish.secret;

import com.google.re2j.Pattern;
import java.util.List;

/**
 * A rule of a rule file that applies to values. Immutable.
 *
 * @param description the description; empty if the file has none
 * @param regex the regular expression
 * @param secretGroup the group that is the secret; 0 for the first group that is not empty
 * @param entropy the Shannon entropy that a secret must exceed, in bits per character; 0 for none
 * @param keywords the keywords in lower case, one of which a text must have; empty for any text
 * @param allowlists the allow-lists of the rule, and the global ones for it
 */
record SecretRule(
    String id,
    String description,
    Pattern regex,
    int secretGroup,
    double entropy,
    List<String> keywords,
    List<Allowlist> allowlists) {

  /** Whether the rule is about assignments to any name, so that a more special one precedes it. */
  boolean isGeneric() {
    return id.startsWith("generic-");
  }

  /** Whether a match is a secret, by its entropy and the allow-lists. */
  boolean accepts(Allowlist.Candidate candidate) {
    if (entropy != 0 && ShannonEntropy.of(candidate.secret()) <= entropy) {
      return false;
    }
    for (Allowlist allowlist : allowlists) {
      if (allowlist.allows(candidate)) {
        return false;
      }
    }
    return true;
  }
}
