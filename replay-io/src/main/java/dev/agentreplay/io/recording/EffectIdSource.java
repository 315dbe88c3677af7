package dev.agentreplay.io.recording;

import dev.agentreplay.model.ContentHash;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Generates the ids of the effects of a session. Safe for use by several threads. */
final class EffectIdSource {

  private static final int DIGITS = 16;
  private static final int RADIX = 16;
  private static final long VERSION_BITS = 0xf000L;
  private static final long VERSION_8 = 0x8000L;
  private static final long VARIANT_BITS = 0xc000_0000_0000_0000L;
  private static final long VARIANT_RFC = 0x8000_0000_0000_0000L;

  /**
   * Whether ids are computed from the session and the number of the effect, so that two recordings
   * of a session have the same. The called system takes effects of different sessions with one id
   * for the same, so that session ids must then be unique.
   */
  private final boolean derives;

  private String sessionId = "";

  /**
   * The number of lines of the log that is resumed. It is part of the ids, because the process
   * before may have generated ids that are not in the log.
   */
  private long linesBefore;

  private long effects;

  EffectIdSource(boolean derives) {
    this.derives = derives;
  }

  /** Sets the id of the session. */
  synchronized void session(String id) {
    sessionId = id;
  }

  /** Counts a line of the log that is resumed. */
  synchronized void found() {
    linesBefore++;
  }

  /** Generates an id that no effect has or had. */
  synchronized String next() {
    effects++;
    return derives
        ? derived(linesBefore + "/" + effects + "/" + sessionId)
        : UUID.randomUUID().toString();
  }

  /** A UUID of version 8 (RFC 9562) from the SHA-256 of a name. */
  private static String derived(String name) {
    String hex = ContentHash.sha256(name.getBytes(StandardCharsets.UTF_8)).hex();
    long high = Long.parseUnsignedLong(hex, 0, DIGITS, RADIX);
    long low = Long.parseUnsignedLong(hex, DIGITS, 2 * DIGITS, RADIX);
    return new UUID(high & ~VERSION_BITS | VERSION_8, low & ~VARIANT_BITS | VARIANT_RFC).toString();
  }
}
