package dev.agentreplay.canonical;

/**
 * How much JSON is taken from a source that is not trusted. Immutable.
 *
 * @param maxBytes the longest text, in bytes; 64 MiB by default
 * @param maxDepth the most objects and arrays within each other; 1,000 by default. A
 *     {@link dev.agentreplay.model.json.JsonValue} is never deeper than its own limit
 * @param maxMembers the most members of one object; 1,000,000 by default
 * @param maxNumberLength the longest number in a text, in bytes; 1,000 by default
 */
public record JsonLimits(int maxBytes, int maxDepth, int maxMembers, int maxNumberLength) {

  private static final JsonLimits DEFAULTS = new JsonLimits(64 << 20, 1_000, 1_000_000, 1_000);

  /** Checks the ranges. */
  public JsonLimits {
    requirePositive(maxBytes, "maxBytes");
    requirePositive(maxDepth, "maxDepth");
    requirePositive(maxMembers, "maxMembers");
    requirePositive(maxNumberLength, "maxNumberLength");
  }

  /** The limits that hold where none are given. */
  public static JsonLimits defaults() {
    return DEFAULTS;
  }

  /** These limits with another one for bytes. */
  public JsonLimits withMaxBytes(int bytes) {
    return new JsonLimits(bytes, maxDepth, maxMembers, maxNumberLength);
  }

  /** These limits with another one for depth. */
  public JsonLimits withMaxDepth(int depth) {
    return new JsonLimits(maxBytes, depth, maxMembers, maxNumberLength);
  }

  /** These limits with another one for members. */
  public JsonLimits withMaxMembers(int members) {
    return new JsonLimits(maxBytes, maxDepth, members, maxNumberLength);
  }

  /** These limits with another one for numbers. */
  public JsonLimits withMaxNumberLength(int length) {
    return new JsonLimits(maxBytes, maxDepth, maxMembers, length);
  }

  private static void requirePositive(int limit, String name) {
    if (limit <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + limit);
    }
  }
}
