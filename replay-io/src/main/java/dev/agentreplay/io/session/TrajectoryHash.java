package dev.agentreplay.io.session;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.CanonicalWriter;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.json.JsonObject;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Computes the {@code trajectory_hash} of a receipt {@code openagents.receipt.v1}: the hash of a
 * canonical array with an object for every event except the header. The object has the members
 * {@code event_type}, {@code idempotency_key}, {@code payload}, {@code recorded_at} and
 * {@code seq}, from 1, in the canonicalization that the header names. An event with an integer that
 * this canonicalization would round is written in the form {@code serde}, so that different logs
 * have different hashes. Events are hashed as they are added. Not safe for use by several threads.
 */
public final class TrajectoryHash {

  private final MessageDigest digest = ContentHash.newDigest();
  private final LogCanonicalization canonicalization;
  private final CanonicalWriter exact = new CanonicalWriter(Canonicalization.SERDE);
  private CanonicalWriter writer;
  private long events;

  /** Creates a hash without events. */
  public TrajectoryHash() {
    this(null);
  }

  /**
   * Creates a hash without events.
   *
   * @param assumed the canonicalization of the log if its header names none; null for
   *     {@link Canonicalization#SERDE}
   */
  public TrajectoryHash(@Nullable Canonicalization assumed) {
    this.canonicalization = new LogCanonicalization(assumed);
    this.writer = assumed == null ? exact : new CanonicalWriter(assumed);
    digest.update((byte) '[');
  }

  /** Adds an event, with the JSON object of its line. */
  public void add(ReplayEvent event, JsonObject line) {
    canonicalization.accept(event);
    if (event instanceof ReplayHeader) {
      CanonicalJson named = canonicalization.get();
      writer = named == null ? exact : new CanonicalWriter(named.canonicalization());
      return;
    }
    events++;
    try {
      write(writer, event, line);
      writer.update(digest);
    } catch (IllegalArgumentException wouldBeRounded) {
      write(exact, event, line);
      exact.update(digest);
    }
  }

  private void write(CanonicalWriter out, ReplayEvent event, JsonObject line) {
    out.reset().raw(events == 1 ? "" : ",").raw("{\"event_type\":").string(typeOf(event));
    out.raw(",\"idempotency_key\":null,\"payload\":").value(line).raw(",\"recorded_at\":");
    if (event.time() == null) {
      out.raw("null");
    } else {
      out.string(event.time().text());
    }
    out.raw(",\"seq\":").raw(Long.toString(events)).raw('}');
  }

  /** The number of events that were added, without the header. */
  public long events() {
    return events;
  }

  /** The hash of the events so far. */
  public ContentHash toHash() {
    MessageDigest whole = ContentHash.copyOf(digest);
    whole.update((byte) ']');
    return ContentHash.of(whole.digest());
  }

  private static String typeOf(ReplayEvent event) {
    return event instanceof UnknownEvent unknown ? unknown.type() : event.kind().id();
  }
}
