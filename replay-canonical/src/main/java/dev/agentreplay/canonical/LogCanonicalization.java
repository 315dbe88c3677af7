package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The canonicalization of a log: the one that its header names, or else an assumed one. Only the
 * first event of a log can be its header; a later header is an error and has no effect here. Not
 * safe for use by several threads.
 */
public final class LogCanonicalization {

  private final @Nullable Canonicalization assumed;
  private @Nullable CanonicalJson canonical;
  private boolean decided;
  private boolean named;

  /**
   * Creates the state before the first event, with {@code serde} as the assumed canonicalization.
   */
  public LogCanonicalization() {
    this(null);
  }

  /**
   * Creates the state before the first event.
   *
   * @param assumed the canonicalization if the header names none; null for {@code serde}
   */
  public LogCanonicalization(@Nullable Canonicalization assumed) {
    this.assumed = assumed;
    this.canonical = assumed == null ? CanonicalJson.SERDE : CanonicalJson.of(assumed);
  }

  /** Accepts the next event; events must be given in the order of the log. */
  public void accept(ReplayEvent event) {
    if (!decided && event instanceof ReplayHeader header && header.canonicalization() != null) {
      named = true;
      canonical = CanonicalJson.namedBy(header);
    }
    decided = true;
  }

  /** Whether the header names a canonicalization, known or not. */
  public boolean isNamed() {
    return named;
  }

  /** The canonicalization if the header names none; null for {@code serde}. */
  public @Nullable Canonicalization assumed() {
    return assumed;
  }

  /** The canonicalization of the log; null if the header names an unknown one. */
  public @Nullable CanonicalJson get() {
    return canonical;
  }

  /**
   * Returns the hash of a value; null if the canonicalization would round an integer in it. Returns
   * the stated hash if there is no value or the canonicalization is unknown.
   */
  public @Nullable ContentHash hash(@Nullable JsonValue value, @Nullable ContentHash stated) {
    return value == null || canonical == null ? stated : canonical.tryHash(value);
  }
}
