package dev.agentreplay.verify.input;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.HashExplanation;
import dev.agentreplay.canonical.HashExplanation.ProducerConvention;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** Explains hash mismatches, within a limit on the bytes that are hashed for that. */
public final class HashHints {

  /**
   * The maximum number of bytes examined for a log and its receipt; each is hashed 20 to 60 times.
   */
  private static final long MAX_BYTES = 1L << 20;

  private final LogCanonicalization canonicalization;
  private long bytesLeft = MAX_BYTES;

  /**
   * Creates the hints about the hashes of a log and its receipt.
   *
   * @param canonicalization the canonicalization of the log
   */
  public HashHints(LogCanonicalization canonicalization) {
    this.canonicalization = canonicalization;
  }

  /**
   * Returns an explanation of a hash that differs from that of the value; null when there is none.
   *
   * @param value the value
   * @param hash the hash that does not match it
   * @param length the length in bytes of the text that contains the value
   */
  @Nullable
  public String explain(JsonValue value, ContentHash hash, int length) {
    CanonicalJson canonical = canonicalization.get();
    if (canonical == null || length > bytesLeft) {
      return null;
    }
    bytesLeft -= length;
    if (hash.equals(canonical.tryHash(value))) {
      return "the value in the log has the hash " + hash + ", but the log states a different one";
    }
    HashExplanation explanation =
        HashExplanation.explain(value, hash, canonical.canonicalization());
    return explanation == null ? null : explanation + option(explanation);
  }

  /** The option that verifies a log of a canonicalization that its header does not name. */
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
