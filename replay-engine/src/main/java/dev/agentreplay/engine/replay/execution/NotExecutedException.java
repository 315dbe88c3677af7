package dev.agentreplay.engine.replay.execution;

import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool or a model has no result of its own, because it could not be executed, or not to its end.
 * The result is not compared, and is never a divergence: a replay in which an executor or the agent
 * throws it is incomplete. It does not mean that the tool has failed, such as with an exit code
 * other than 0, which is a result.
 */
public final class NotExecutedException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The reason. */
  public enum Reason {
    /** The sandbox could not be set up. */
    SANDBOX_SETUP,
    /** The program could not be started. */
    NOT_STARTED,
    /** It was stopped at a limit, such as that of its memory or of its output. */
    LIMIT;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Reason reason;

  /**
   * Creates an exception.
   *
   * @param message the reason in words, in one sentence
   * @param cause the exception that it follows from; null if there is none
   */
  public NotExecutedException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
