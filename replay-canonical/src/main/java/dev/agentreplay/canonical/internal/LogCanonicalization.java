package dev.agentreplay.canonical.internal;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The canonicalization of a log: the one that its header names. Only the first event is a header;
 * one that comes later is wrong, and changes nothing. Not safe for use by several threads.
 */
public final class LogCanonicalization {

  private boolean decided;
  private @Nullable CanonicalJson canonical = CanonicalJson.SERDE;

  /** The canonicalization of a log of which nothing has been seen. */
  public LogCanonicalization() {}

  /** The canonicalization of a log of which it is known; null when that is not known. */
  public LogCanonicalization(@Nullable CanonicalJson canonical) {
    this.canonical = canonical;
    this.decided = true;
  }

  /** Sees an event, in the order of the log. */
  public void accept(ReplayEvent event) {
    if (!decided && event instanceof ReplayHeader header) {
      canonical = CanonicalJson.of(header);
    }
    decided = true;
  }

  /** The canonicalization, or null when it is not known. */
  public @Nullable CanonicalJson get() {
    return canonical;
  }

  /**
   * The hash of a value, null where the canonicalization would round an integer; without a value,
   * or a known canonicalization, the hash that is stated.
   */
  public @Nullable ContentHash hash(@Nullable JsonValue value, @Nullable ContentHash stated) {
    return value == null || canonical == null ? stated : Hashes.of(value, canonical);
  }
}
