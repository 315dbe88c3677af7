package dev.agentreplay.publish;

import java.io.IOException;
import java.util.Objects;

/** Thrown when a session must not be published. The message says why, and the next step. */
public final class PublicationRefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The reason for a refusal. Stable; more may be added. */
  public enum Reason {
    /** The session does not verify; publishing it may be forced. */
    NOT_VALID,
    /** The log cannot be read completely. */
    UNREADABLE,
    /** A writer has the log open. */
    BEING_WRITTEN,
    /** The log has no header in its first line. */
    HEADER_MISSING,
    /** The log is in the dialect draft, which requires the values that are withheld. */
    DRAFT,
    /** The log has an unknown canonicalization. */
    CANONICALIZATION,
    /** The log has no salt, and none was given. */
    SALT_MISSING,
    /** The log was published before in a form that cannot be published again. */
    PUBLISHED,
    /** The form of the public tree was fixed before, and a different one was requested. */
    FORM,
    /** The published files would contain secrets. */
    SECRETS,
    /** A value cannot be disclosed without disclosing others. */
    DISCLOSES_MORE,
    /** There is no such value. */
    NO_VALUE
  }

  private final Reason reason;

  PublicationRefusedException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
