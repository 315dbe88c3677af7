package dev.agentreplay.cli.text;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The log of a replay on standard error, a line for each entry, while this is open; without it the
 * report is enough, and nothing is logged.
 */
public final class RunLog implements AutoCloseable {

  private static final Logger LOGGER = Logger.getLogger("dev.agentreplay.engine.replay");

  private final @Nullable Level before = LOGGER.getLevel();
  private final boolean hadParents = LOGGER.getUseParentHandlers();
  private final Handler handler;

  /** Opens the log. */
  public RunLog(Terminal terminal, boolean isVerbose) {
    this.handler = new Handler() {
      @Override
      public void publish(LogRecord entry) {
        terminal.err().println(Style.plain(String.valueOf(entry.getMessage())));
      }

      @Override
      public void flush() {
        terminal.err().flush();
      }

      @Override
      public void close() {}
    };
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
    LOGGER.setLevel(isVerbose ? Level.ALL : Level.OFF);
  }

  @Override
  public void close() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(hadParents);
    LOGGER.setLevel(before);
  }
}
