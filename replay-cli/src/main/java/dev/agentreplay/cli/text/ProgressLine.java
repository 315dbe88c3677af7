package dev.agentreplay.cli.text;

import java.io.PrintStream;
import java.time.Duration;

/**
 * A line on the progress of a replay, shown after two seconds. It is updated in place on a
 * terminal, and erased before other output. Safe for use by several threads.
 */
final class ProgressLine {

  private static final Duration SILENT = Duration.ofSeconds(2);

  private final PrintStream err;
  private final boolean isTerminal;
  private final boolean isQuiet;

  /** Guarded by this object, because a replay reports on its own threads. */
  private int width;

  private boolean isOver;

  /**
   * Creates a line on the standard error of a terminal.
   *
   * @param isQuiet whether only messages are printed
   */
  ProgressLine(Terminal terminal, boolean isQuiet) {
    this.isQuiet = isQuiet;
    // a line that is replaced needs a carriage return, which the other stream does not pass
    this.err = terminal.progress() ? terminal.progressLine() : terminal.err();
    this.isTerminal = terminal.progress();
  }

  /** Whether only messages are printed. */
  boolean isQuiet() {
    return isQuiet;
  }

  /** Whether a line is shown after a time. */
  synchronized boolean isShown(Duration elapsed) {
    return !isOver && !isQuiet && elapsed.compareTo(SILENT) >= 0;
  }

  /** Shows a line. */
  synchronized void show(String text) {
    if (isOver) {
      return;
    }
    if (!isTerminal) {
      err.println(text);
      return;
    }
    erase();
    width = text.length();
    err.print(text);
    err.flush();
  }

  private void erase() {
    if (width > 0) {
      err.print("\r" + " ".repeat(width) + "\r");
      err.flush();
      width = 0;
    }
  }

  /** Prints a message on a line of its own. */
  synchronized void say(String message) {
    erase();
    err.println(Terminal.line(message));
  }

  /** Erases the line; nothing is shown afterwards. */
  synchronized void end() {
    erase();
    isOver = true;
  }
}
