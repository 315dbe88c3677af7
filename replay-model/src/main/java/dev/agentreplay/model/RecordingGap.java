package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Events of the session are missing before this line, because they could not be written. Lines of
 * other threads may stand between the place of one and this line.
 *
 * @param events how many events were not recorded, at least 1
 * @param since when the first of them was to be written; null where the log does not say
 * @param reason why they could not be written, for people
 * @param meta what every event has
 */
public record RecordingGap(
    long events, @Nullable Timestamp since, @Nullable String reason, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public RecordingGap {
    Objects.requireNonNull(meta, "meta");
  }

  /** A gap of some events. */
  public static RecordingGap of(long events) {
    return new RecordingGap(events, null, null, Meta.NONE);
  }

  /** With the time of the first event that is missing. */
  public RecordingGap withSince(@Nullable Timestamp newSince) {
    return new RecordingGap(events, newSince, reason, meta);
  }

  /** With why the events are missing. */
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
