package dev.agentreplay.convert.trace.report;

import dev.agentreplay.model.text.PlainText;
import java.io.IOException;

/**
 * A source has no format that is known, or no turn of an agent: no message, no call of a model or a
 * tool. Formats change without a mark of their version, and an importer that then imports nothing
 * must not report success.
 */
public final class NothingRecognizedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The stable code at the beginning of the message. */
  public static final String CODE = "IMPORT_NOTHING_RECOGNISED";

  /**
   * Creates an exception; its message begins with the code. Control and invisible characters of the
   * message, which may be those of a path, are replaced.
   */
  public NothingRecognizedException(String message) {
    super("[" + CODE + "] " + PlainText.of(message));
  }
}
