package dev.agentreplay.io.recording;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an event could not be written, or could not be forced to disk (fsync). The cause may
 * be an Error, as when memory or stack runs out during the write.
 */
public final class ReplayWriteException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The known state of the event: not in the log, unknown, or refused. */
  private enum State {
    ROLLED_BACK,
    UNDETERMINED,
    REFUSED
  }

  private final State state;
  private transient @Nullable WrittenEvent written;

  private ReplayWriteException(Path log, State state, String detail, Throwable cause) {
    super(log + ": " + detail, cause);
    this.state = state;
  }

  /**
   * Sets the event that is in the log, as a reader finds it now, although it may not survive power
   * loss; null if nothing of it is in the log, or this is not known.
   */
  ReplayWriteException of(@Nullable WrittenEvent event) {
    written = event;
    return this;
  }

  /** The event, if it is in the log; null if nothing of it is in the log, or this is not known. */
  @Nullable
  WrittenEvent written() {
    return written;
  }

  /** The write was rolled back: nothing of the event is in the log, and the writer can continue. */
  static ReplayWriteException rolledBack(Path log, String detail, Throwable cause) {
    return new ReplayWriteException(log, State.ROLLED_BACK, detail, cause);
  }

  /** It is unknown whether the event is in the log, and the writer refuses further events. */
  static ReplayWriteException undetermined(Path log, String detail, Throwable cause) {
    return new ReplayWriteException(log, State.UNDETERMINED, detail, cause);
  }

  /**
   * Nothing of the event is in the log, because the writer refuses events after an earlier failure.
   */
  static ReplayWriteException refused(Path log, Throwable earlier) {
    String detail = "refused, because an earlier write or fsync failed";
    return new ReplayWriteException(log, State.REFUSED, detail, earlier);
  }

  /**
   * Whether it is unknown if the event, or a part of it, is in the log or will be there after power
   * loss. Otherwise nothing of it is in the log.
   */
  public boolean isUndetermined() {
    return state == State.UNDETERMINED;
  }

  /**
   * Whether the event may be emitted again, as when a full disk has space again. Otherwise the
   * writer refuses all further events.
   */
  public boolean isRetryable() {
    return state == State.ROLLED_BACK;
  }
}
