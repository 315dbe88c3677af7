package dev.agentreplay.verify;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.HashExplainer;
import dev.agentreplay.canonical.HashExplanation;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** Explains hashes that do not fit, as long as that does not take too much time. */
final class HashHints {

  /** The length of the lines that are looked into, all together; each is hashed some 20 times. */
  private static final long MAX_BYTES = 16L << 20;

  private long bytesLeft = MAX_BYTES;

  /**
   * How a hash came about that is not that of the value.
   *
   * @param lineLength the length of the line that holds the value, in bytes
   */
  @Nullable
  String explain(
      JsonValue value, ContentHash hash, Canonicalization canonicalization, int lineLength) {
    if (lineLength > bytesLeft) {
      return null;
    }
    bytesLeft -= lineLength;
    HashExplanation explanation = HashExplainer.explain(value, hash, canonicalization);
    return explanation == null ? null : explanation.toString();
  }
}
