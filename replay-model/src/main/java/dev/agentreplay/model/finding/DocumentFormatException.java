package dev.agentreplay.model.finding;

import java.io.IOException;

/**
 * A document from outside does not have the form that it should have: a key, a proof, a checkpoint,
 * an envelope or a statement. The message says what was found and what was expected, in JSON with
 * the JSON Pointer (RFC 6901) of the place.
 */
public final class DocumentFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  /** A document with this fault. */
  public DocumentFormatException(String message) {
    super(message);
  }

  /** A document with this fault, which was found so. */
  public DocumentFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
