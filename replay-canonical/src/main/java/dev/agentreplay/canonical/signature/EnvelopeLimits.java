package dev.agentreplay.canonical.signature;

import dev.agentreplay.canonical.JsonLimits;

/**
 * How large an envelope from a source that is not trusted may be. Each signature is checked once,
 * with every trusted key at most, and each of these checks reads the whole payload. Immutable.
 *
 * @param maxBytes the longest text of an envelope, in bytes; 64 MiB by default, as of any JSON text
 * @param maxSignatures the most signatures in one envelope; 16 by default
 */
public record EnvelopeLimits(int maxBytes, int maxSignatures) {

  private static final EnvelopeLimits DEFAULTS =
      new EnvelopeLimits(JsonLimits.defaults().maxBytes(), 16);

  /** Checks the ranges. */
  public EnvelopeLimits {
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("maxBytes must be positive: " + maxBytes);
    }
    if (maxSignatures <= 0) {
      throw new IllegalArgumentException("maxSignatures must be positive: " + maxSignatures);
    }
  }

  /** The limits that hold where none are given. */
  public static EnvelopeLimits defaults() {
    return DEFAULTS;
  }

  /** These limits with another one for bytes. */
  public EnvelopeLimits withMaxBytes(int newMaxBytes) {
    return new EnvelopeLimits(newMaxBytes, maxSignatures);
  }

  /** These limits with another one for signatures. */
  public EnvelopeLimits withMaxSignatures(int newMaxSignatures) {
    return new EnvelopeLimits(maxBytes, newMaxSignatures);
  }
}
