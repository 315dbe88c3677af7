package dev.agentreplay.verify.input;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.HashExplanation;
import dev.agentreplay.canonical.HashExplanation.ProducerConvention;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** Explains hashes that do not fit, as long as that does not take too much time. */
public final class HashHints {

  /** The bytes that are looked into for a log and its receipt; each is hashed 20 to 60 times. */
  private static final long MAX_BYTES = 1L << 20;

  private final LogCanonicalization canonicalization;
  private long bytesLeft = MAX_BYTES;

  /** Hints about the hashes of a log and its receipt. */
  public HashHints(LogCanonicalization canonicalization) {
    this.canonicalization = canonicalization;
  }

  /**
   * How a hash came about that is not the one that the log states, or has.
   *
   * @param length that of the text which holds the value, in bytes
   */
  @Nullable
  public String explain(JsonValue value, ContentHash hash, int length) {
    CanonicalJson canonical = canonicalization.get();
    if (canonical == null || length > bytesLeft) {
      return null;
    }
    bytesLeft -= length;
    if (hash.equals(canonical.tryHash(value))) {
      return "the value in the log has the hash " + hash + ", but the log states another";
    }
    HashExplanation explanation =
        HashExplanation.explain(value, hash, canonical.canonicalization());
    return explanation == null ? null : explanation + option(explanation);
  }

  /** How to verify a log of another profile, which its header does not name. */
  private String option(HashExplanation explanation) {
    Canonicalization profile = explanation.canonicalization();
    if (explanation.convention() != ProducerConvention.CANONICALIZATION
        || profile == null
        || canonicalization.isNamed()) {
      return "";
    }
    return "; replay verify --canonicalization %s verifies a log that was made with it"
        .formatted(profile.id());
  }
}
