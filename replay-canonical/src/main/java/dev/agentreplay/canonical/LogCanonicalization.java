package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The canonicalization of a log: the one that its header names, else the one that is assumed. Only
 * the first event is a header; one that comes later is wrong, and changes nothing. Not safe for use
 * by several threads.
 */
public final class LogCanonicalization {

  private final @Nullable Canonicalization assumed;
  private @Nullable CanonicalJson canonical;
  private boolean decided;
  private boolean named;

  /** The canonicalization of a log of which nothing has been seen. */
  public LogCanonicalization() {
    this(null);
  }

  /**
   * The canonicalization of a log of which nothing has been seen.
   *
   * @param assumed that of a log whose header names none; null for {@code serde}
   */
  public LogCanonicalization(@Nullable Canonicalization assumed) {
    this.assumed = assumed;
    this.canonical = assumed == null ? CanonicalJson.SERDE : CanonicalJson.of(assumed);
  }

  /** Sees an event, in the order of the log. */
  public void accept(ReplayEvent event) {
    if (!decided && event instanceof ReplayHeader header && header.canonicalization() != null) {
      named = true;
      canonical = CanonicalJson.namedBy(header);
    }
    decided = true;
  }

  /** Whether the header names one. */
  public boolean isNamed() {
    return named;
  }

  /** That of a log whose header names none; null for {@code serde}. */
  public @Nullable Canonicalization assumed() {
    return assumed;
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
    return value == null || canonical == null ? stated : canonical.tryHash(value);
  }
}
