package dev.agentreplay.model.finding;

import java.io.IOException;

/**
 * Thrown when an external document is malformed: a key, a proof, a checkpoint, an envelope or a
 * statement. The message states what was found and what was expected; for a JSON document it has
 * the JSON Pointer (RFC 6901) of the place.
 */
public final class DocumentFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message. */
  public DocumentFormatException(String message) {
    super(message);
  }

  /** Creates an exception with a message and a cause. */
  public DocumentFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
