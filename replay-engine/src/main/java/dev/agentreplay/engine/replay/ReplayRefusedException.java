package dev.agentreplay.engine.replay;

import java.io.IOException;
import java.util.Locale;
import java.util.Objects;

/** Thrown when a recording cannot be replayed; nothing was run. */
public final class ReplayRefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The reason. */
  public enum Reason {
    /** The recording is not valid: its hashes, receipt or structure are not as stated. */
    INVALID,
    /** The version of the recording is not supported. */
    VERSION,
    /** The recording has only hashes of what would have to be executed. */
    HASH_ONLY,
    /** The circumstances differ from the recorded ones in a way that the caller does not accept. */
    CIRCUMSTANCES,
    /** There is no workspace on which tools could work. */
    NO_WORKSPACE,
    /** The workspace is larger than the limit for its copy. */
    WORKSPACE_LIMIT,
    /** No sandbox can be used for the programs. */
    NO_SANDBOX,
    /** The recording is a published copy, which withholds or replaces values. */
    PUBLISHED,
    /** The recording cannot be forked at the point, or a change does not fit its exchange. */
    FORK;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Reason reason;

  /** Creates an exception. */
  public ReplayRefusedException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
