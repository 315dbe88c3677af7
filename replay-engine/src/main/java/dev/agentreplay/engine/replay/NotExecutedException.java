package dev.agentreplay.engine.replay;

import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool or a model has no result of its own, because it could not be executed, or not to its end.
 * A replay in which an executor throws it is incomplete; the result is not compared.
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

  /** Creates an exception. */
  public NotExecutedException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
