package dev.agentreplay.io;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.internal.CanonicalWriter;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.internal.Sha256;
import dev.agentreplay.model.json.JsonObject;
import java.security.MessageDigest;

/**
 * The {@code trajectory_hash} of a receipt {@code openagents.receipt.v1}: of the canonical array of
 * an object for every event but the header, with members {@code event_type},
 * {@code idempotency_key}, {@code payload}, {@code recorded_at} and {@code seq} from 1, in the
 * canonicalization that the header names. Computed as the events go by; not safe for use by several
 * threads.
 */
public final class TrajectoryHash {

  private final MessageDigest digest = Sha256.newDigest();
  private CanonicalWriter writer = new CanonicalWriter(Canonicalization.SERDE);
  private long events;

  /** The hash of no events. */
  public TrajectoryHash() {
    digest.update((byte) '[');
  }

  /** Adds an event, with the object of its line. */
  public void add(ReplayEvent event, JsonObject line) {
    if (event instanceof ReplayHeader header) {
      begin(header);
      return;
    }
    events++;
    writer.reset().raw(events == 1 ? "" : ",").raw("{\"event_type\":").string(typeOf(event));
    writer.raw(",\"idempotency_key\":null,\"payload\":").value(line).raw(",\"recorded_at\":");
    if (event.time() == null) {
      writer.raw("null");
    } else {
      writer.string(event.time().text());
    }
    writer.raw(",\"seq\":").raw(Long.toString(events)).raw('}');
    writer.update(digest);
  }

  /** The number of events that were added, without the header. */
  public long events() {
    return events;
  }

  /** The hash of the events so far. */
  public ContentHash toHash() {
    MessageDigest whole = Sha256.copyOf(digest);
    whole.update((byte) ']');
    return ContentHash.of(whole.digest());
  }

  /** A header after other events is wrong, and changes nothing. */
  private void begin(ReplayHeader header) {
    Canonicalization named = Canonicalization.of(header.canonicalization());
    if (named != null && events == 0) {
      writer = new CanonicalWriter(named, true, CanonicalWriter.UNLIMITED);
    }
  }

  private static String typeOf(ReplayEvent event) {
    return event instanceof UnknownEvent unknown ? unknown.type() : event.kind().tag();
  }
}
