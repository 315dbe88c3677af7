package dev.agentreplay.canonical;

/**
 * Limits on the size of JSON text from untrusted sources. All are positive. Immutable.
 *
 * @param maxBytes the maximum length of a text in bytes; 64 MiB by default
 * @param maxDepth the maximum nesting depth of objects and arrays; 1,000 by default. A
 *     {@link dev.agentreplay.model.json.JsonValue} also has a maximum depth of its own
 * @param maxMembers the maximum number of members of one object; 1,000,000 by default
 * @param maxNumberLength the maximum length of a number in a text in bytes; 1,000 by default
 */
public record JsonLimits(int maxBytes, int maxDepth, int maxMembers, int maxNumberLength) {

  private static final JsonLimits DEFAULTS = new JsonLimits(64 << 20, 1_000, 1_000_000, 1_000);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a limit is not positive
   */
  public JsonLimits {
    requirePositive(maxBytes, "maxBytes");
    requirePositive(maxDepth, "maxDepth");
    requirePositive(maxMembers, "maxMembers");
    requirePositive(maxNumberLength, "maxNumberLength");
  }

  /** The default limits. */
  public static JsonLimits defaults() {
    return DEFAULTS;
  }

  /** A copy with a different {@code maxBytes}. */
  public JsonLimits withMaxBytes(int bytes) {
    return new JsonLimits(bytes, maxDepth, maxMembers, maxNumberLength);
  }

  /** A copy with a different {@code maxDepth}. */
  public JsonLimits withMaxDepth(int depth) {
    return new JsonLimits(maxBytes, depth, maxMembers, maxNumberLength);
  }

  /** A copy with a different {@code maxMembers}. */
  public JsonLimits withMaxMembers(int members) {
    return new JsonLimits(maxBytes, maxDepth, members, maxNumberLength);
  }

  /** A copy with a different {@code maxNumberLength}. */
  public JsonLimits withMaxNumberLength(int length) {
    return new JsonLimits(maxBytes, maxDepth, maxMembers, length);
  }

  private static void requirePositive(int limit, String name) {
    if (limit <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + limit);
    }
  }
}
