package dev.agentreplay.io.recording;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/**
 * What a writer tells its operator, as the logger {@code dev.agentreplay.io}: what went wrong
 * where, never what is in an event. Nothing is loaded before there is something to say.
 */
final class WriterLog {

  private static final class Holder {
    static final Logger LOGGER = System.getLogger("dev.agentreplay.io");
  }

  private WriterLog() {}

  /** Something went wrong, and recording goes on. */
  static void warning(Path log, String message) {
    Holder.LOGGER.log(Level.WARNING, () -> log + ": " + message);
  }

  /** Something went wrong, and nothing more is written. */
  static void error(Path log, String message, Throwable cause) {
    Holder.LOGGER.log(Level.ERROR, () -> log + ": " + message, cause);
  }
}
