package dev.agentreplay.canonical.internal;

import dev.agentreplay.canonical.CanonicalJson;
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
}
