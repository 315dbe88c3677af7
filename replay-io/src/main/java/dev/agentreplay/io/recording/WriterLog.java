package dev.agentreplay.io.recording;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/**
 * Logs failures of a writer for its operator, to the logger {@code dev.agentreplay.io}: the failure
 * and the log, never the content of an event. The logger is loaded when it is first used.
 */
final class WriterLog {

  private static final class Holder {
    static final Logger LOGGER = System.getLogger("dev.agentreplay.io");
  }

  private WriterLog() {}

  /** Logs a failure after which recording continues. */
  static void warning(Path log, String message) {
    Holder.LOGGER.log(Level.WARNING, () -> log + ": " + message);
  }

  /** Logs a failure after which nothing more is written. */
  static void error(Path log, String message, Throwable cause) {
    Holder.LOGGER.log(Level.ERROR, () -> log + ": " + message, cause);
  }
}
