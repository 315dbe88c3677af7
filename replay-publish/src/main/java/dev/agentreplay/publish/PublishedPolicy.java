package dev.agentreplay.publish;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.publish.policy.PublicationPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The statement of a published log about its policy: the name and the hash of a preset. Of any
 * other policy it has a commitment only, because the patterns of a policy may be secrets
 * themselves.
 */
record PublishedPolicy(PublicationPolicy policy, Committer committer, @Nullable Salt salt) {

  private static final String CUSTOM = "custom";

  /** The member {@code published} of the header of a log. */
  PublishedHeader header(String form, String verdict) {
    if (policy.isPreset()) {
      return new PublishedHeader(form, policy.id(), policy.hash(), null, verdict);
    }
    Commitment commitment =
        salt == null ? null : committer.policy(salt, CanonicalJson.SERDE.text(policy.toJson()));
    return new PublishedHeader(form, CUSTOM, null, commitment, verdict);
  }
}
