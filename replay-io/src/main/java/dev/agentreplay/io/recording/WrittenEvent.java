package dev.agentreplay.io.recording;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.finding.Position;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of writing an event: the position of its line in the log. Only with
 * {@link FailurePolicy#DEGRADE} may an event not have been written. Immutable.
 */
public final class WrittenEvent {

  /** The position of its line; null if the event was not written. */
  final @Nullable Position position;

  private final ReplayEvent event;
  private final @Nullable Timestamp time;
  private final @Nullable ContentHash contentHash;

  WrittenEvent(
      ReplayEvent event,
      @Nullable Position position,
      @Nullable Timestamp time,
      @Nullable ContentHash contentHash) {
    this.event = Objects.requireNonNull(event, "event");
    this.position = position;
    this.time = time;
    this.contentHash = contentHash;
  }

  /** The outcome for an event that is not in the log. */
  static WrittenEvent unwritten(ReplayEvent event) {
    return new WrittenEvent(event, null, null, null);
  }

  /**
   * Whether the event is in the log; false only if a {@link SessionRecorder} with
   * {@link FailurePolicy#DEGRADE} could not write it.
   */
  public boolean isWritten() {
    return position != null;
  }

  /**
   * The event as it was written, except for {@link #time} and {@link #contentHash}, which may have
   * been filled in.
   */
  public ReplayEvent event() {
    return event;
  }

  /**
   * The position of the first byte of its line.
   *
   * @throws IllegalStateException if it was not {@linkplain #isWritten written}
   */
  public Position position() {
    if (position == null) {
      throw new IllegalStateException(event.kind().id() + " was not written");
    }
    return position;
  }

  /**
   * The time that was written; null if the event was not written, or has an additional member with
   * the name of the time.
   */
  public @Nullable Timestamp time() {
    return time;
  }

  /** The hash of its parameters, output or payload; null if it has none, or was not written. */
  public @Nullable ContentHash contentHash() {
    return contentHash;
  }

  @Override
  public String toString() {
    return event.kind().id() + (position == null ? " (not written)" : " at " + position);
  }
}
