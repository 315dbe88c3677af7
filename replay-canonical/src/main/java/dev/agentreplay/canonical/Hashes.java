package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** Hashes of values that may have none. */
public final class Hashes {

  private Hashes() {}

  /** The hash of a value, or null where the canonicalization would round an integer in it. */
  public static @Nullable ContentHash of(JsonValue value, CanonicalJson canonical) {
    try {
      return canonical.hash(value);
    } catch (IllegalArgumentException wouldBeRounded) {
      return null;
    }
  }

  /**
   * A hash to compare values by: in the form {@code serde} where the canonicalization would round
   * an integer, or is not known.
   */
  public static ContentHash comparable(JsonValue value, @Nullable CanonicalJson canonical) {
    ContentHash hash = canonical == null ? null : of(value, canonical);
    return hash == null ? CanonicalJson.SERDE.hash(value) : hash;
  }
}
