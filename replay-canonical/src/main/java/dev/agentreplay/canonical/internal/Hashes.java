package dev.agentreplay.canonical.internal;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** Hashes of what a log may hold, or only state the hash of. */
public final class Hashes {

  private Hashes() {}

  /** The hash of a value where there is one, else the one that is stated for it. */
  public static @Nullable ContentHash of(@Nullable JsonValue value, @Nullable ContentHash stated) {
    return value == null ? stated : of(value, CanonicalJson.SERDE);
  }

  /** The hash of a value, or null where the canonicalization would round an integer in it. */
  public static @Nullable ContentHash of(JsonValue value, CanonicalJson canonical) {
    try {
      return canonical.hash(value);
    } catch (IllegalArgumentException wouldBeRounded) {
      return null;
    }
  }
}
