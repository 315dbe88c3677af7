package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A gap in the log: events of the session are missing before this line because they could not be
 * written. Lines of other threads may be between the place of a missing event and this line.
 *
 * @param events the number of events that were not recorded, at least 1
 * @param since the time at which the first of them should have been written; null when the log does
 *     not state it
 * @param reason the reason that they could not be written, for people
 * @param meta the data common to all events
 */
public record RecordingGap(
    long events, @Nullable Timestamp since, @Nullable String reason, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public RecordingGap {
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates a gap of a number of events. */
  public static RecordingGap of(long events) {
    return new RecordingGap(events, null, null, Meta.NONE);
  }

  /** Returns a copy with the given time of the first missing event. */
  public RecordingGap withSince(@Nullable Timestamp newSince) {
    return new RecordingGap(events, newSince, reason, meta);
  }

  /** Returns a copy with the given reason. */
  public RecordingGap withReason(@Nullable String newReason) {
    return new RecordingGap(events, since, newReason, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.RECORDING_GAP;
  }

  @Override
  public RecordingGap withMeta(Meta newMeta) {
    return new RecordingGap(events, since, reason, newMeta);
  }
}
