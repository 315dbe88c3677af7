package dev.agentreplay.junit;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * A logger that logs everything at the level DEBUG: what a replay logs at a higher level is also in
 * the failure of its test.
 */
record DebugLogger(System.Logger logger) implements System.Logger {

  @Override
  public String getName() {
    return logger.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return logger.isLoggable(Level.DEBUG);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    logger.log(Level.DEBUG, bundle, message, thrown);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object... parameters) {
    logger.log(Level.DEBUG, bundle, format, parameters);
  }
}
