package dev.agentreplay.cli;

import java.io.InputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the command reads and writes.
 *
 * @param in what is piped into it
 * @param out takes reports
 * @param err takes progress and errors
 * @param color whether reports may be coloured
 * @param progress whether somebody watches {@code err}, on which a line can be replaced
 * @param columns how wide a line of {@code out} is; 0 when that is not known
 */
record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean color,
    boolean progress,
    int columns) {

  /** How wide the terminal is, as shells say it; 0 when they do not. */
  static int columns(@Nullable String variable) {
    boolean isNumber = variable != null && variable.matches("[1-9][0-9]{0,3}");
    return isNumber ? Integer.parseInt(variable) : 0;
  }

  Style style() {
    return new Style(color);
  }
}
