package dev.agentreplay.engine.subject;

import java.io.IOException;
import java.util.Locale;
import java.util.Objects;

/** Thrown when a program that is an agent does not keep to the protocol, or fails. */
public final class SubjectException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The reason. */
  public enum Reason {
    /** A line is not a message of the protocol. */
    PROTOCOL,
    /** The subject requests a version of the protocol that is not supported. */
    VERSION,
    /** A line is too long, or too many requests are not answered yet. */
    LIMIT,
    /** The subject closed its input or output while requests were not answered. */
    CLOSED,
    /** The exit code of the subject is not 0. */
    EXIT_CODE,
    /** The subject sent no message, or did not exit after it had ended or was stopped. */
    HANGING;

    /** The text of the constant in messages of the protocol. */
    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Reason reason;

  SubjectException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
