package dev.agentreplay.sandbox;

import java.io.IOException;
import java.util.Locale;
import java.util.Objects;

/** A program in a sandbox has no result of its own. */
public final class SandboxException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The reason. */
  public enum Reason {
    /** The sandbox could not be set up. */
    SETUP,
    /** The program could not be started in the sandbox. */
    NOT_STARTED,
    /** The program was killed because it reached a limit. */
    LIMIT;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Reason reason;

  /** Creates an exception. */
  public SandboxException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
