package dev.agentreplay.publish;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.publish.policy.PublicationPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What a published log says about its policy: the name and the hash of a preset. Of any other
 * policy it has a commitment only, because the patterns of a policy may be secrets themselves.
 */
record PublishedPolicy(PublicationPolicy policy, Committer committer, @Nullable Salt salt) {

  static final String CUSTOM = "custom";

  JsonObject toJson() {
    if (policy.isPreset()) {
      return JsonObject.of("hash", policy.hash().toString(), "id", policy.id());
    }
    JsonObject json = JsonObject.of("id", CUSTOM);
    return salt == null
        ? json
        : json.with(
            "commitment",
            committer.policy(salt, CanonicalJson.SERDE.text(policy.toJson())).text());
  }
}
