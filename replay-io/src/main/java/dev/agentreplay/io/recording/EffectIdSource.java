package dev.agentreplay.io.recording;

import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Generates the ids of the effects of a session. Safe for use by several threads. */
final class EffectIdSource {

  private static final int DIGITS = 16;
  private static final int RADIX = 16;
  private static final long VERSION_BITS = 0xf000L;
  private static final long VERSION_8 = 0x8000L;
  private static final long VARIANT_BITS = 0xc000_0000_0000_0000L;
  private static final long VARIANT_RFC = 0x8000_0000_0000_0000L;

  /**
   * Whether ids are computed from the session, the agent and the number of its effect, so that two
   * recordings of a session have the same. Only for the process that started the session: an
   * earlier one may have caused effects that are not in the log.
   */
  private boolean derives;

  private String sessionId = "";

  /** The number of generated ids by the agent; "" is that of events without an agent. */
  private final Map<String, Long> generated = new HashMap<>();

  /** The last attempt by the id of its effect. */
  private final Map<String, Long> attempts = new HashMap<>();

  EffectIdSource(boolean derives) {
    this.derives = derives;
  }

  /** Sets the id of the session. */
  synchronized void session(String id) {
    sessionId = id;
  }

  /** Adds a call of the log that is resumed. Further ids are random. */
  synchronized void found(ReplayEvent event) {
    derives = false;
    if (event instanceof ToolCall call) {
      added(call.attempt());
    }
  }

  /** Generates an id that no effect has or had. */
  synchronized String next(@Nullable String agent) {
    String lane = agent == null ? "" : agent;
    long number = generated.merge(lane, 1L, Long::sum);
    return derives
        ? derived(number + "/" + lane.length() + "/" + lane + "/" + sessionId)
        : UUID.randomUUID().toString();
  }

  /** Adds an attempt that is recorded. */
  synchronized void added(Attempt attempt) {
    Long number = attempt.number();
    String id = attempt.effectId();
    if (id != null && number != null) {
      attempts.merge(id, number, Math::max);
    }
  }

  /** Returns the attempt that follows those of the same effect. */
  synchronized Attempt next(Attempt earlier) {
    added(earlier);
    Long last = attempts.get(earlier.effectId());
    Attempt next =
        last == null ? earlier.next() : new Attempt(Math.addExact(last, 1), earlier.effectId());
    added(next);
    return next;
  }

  /** A UUID of version 8 (RFC 9562) from the SHA-256 of a name. */
  private static String derived(String name) {
    String hex = ContentHash.sha256(name.getBytes(StandardCharsets.UTF_8)).hex();
    long high = Long.parseUnsignedLong(hex, 0, DIGITS, RADIX);
    long low = Long.parseUnsignedLong(hex, DIGITS, 2 * DIGITS, RADIX);
    return new UUID((high & ~VERSION_BITS) | VERSION_8, (low & ~VARIANT_BITS) | VARIANT_RFC)
        .toString();
  }
}
