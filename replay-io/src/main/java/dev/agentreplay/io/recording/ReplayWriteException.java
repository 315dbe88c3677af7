package dev.agentreplay.io.recording;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An event could not be written, or could not be forced to the disk. The cause may be an Error, as
 * when memory or stack runs out in the middle of it.
 */
public final class ReplayWriteException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What became of an event that was not written. */
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
   * The event is in the log, as a reader finds it now, though it may not survive power loss; null
   * if nothing of it is, or that is not known.
   */
  ReplayWriteException of(@Nullable WrittenEvent event) {
    written = event;
    return this;
  }

  /** The event, if it is in the log; null if nothing of it is, or that is not known. */
  @Nullable
  WrittenEvent written() {
    return written;
  }

  /** Nothing of the event is in the log, and the writer goes on. */
  static ReplayWriteException rolledBack(Path log, String detail, Throwable cause) {
    return new ReplayWriteException(log, State.ROLLED_BACK, detail, cause);
  }

  /** It is not known what of the event is in the log, and the writer does not go on. */
  static ReplayWriteException undetermined(Path log, String detail, Throwable cause) {
    return new ReplayWriteException(log, State.UNDETERMINED, detail, cause);
  }

  /** Nothing of the event is in the log, because an earlier failure put an end to writing. */
  static ReplayWriteException refused(Path log, Throwable earlier) {
    String detail = "refused, because an earlier write or force failed";
    return new ReplayWriteException(log, State.REFUSED, detail, earlier);
  }

  /**
   * Whether it is not known if the event, or a part of it, is in the log or will be there after
   * power loss. Otherwise nothing of it is in the log.
   */
  public boolean isUndetermined() {
    return state == State.UNDETERMINED;
  }

  /**
   * Whether the event may be emitted again, as when a full disk has room again. Otherwise the
   * writer refuses all further events.
   */
  public boolean isRetryable() {
    return state == State.ROLLED_BACK;
  }
}
