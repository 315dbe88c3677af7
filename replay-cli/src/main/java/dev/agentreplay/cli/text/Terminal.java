package dev.agentreplay.cli.text;

import java.io.InputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * The streams of the command. All text passes {@link PlainOutput}.
 *
 * @param in standard input
 * @param out the stream for reports
 * @param err the stream for progress and errors
 * @param color whether reports may be colored
 * @param isTerminal whether {@code out} is a terminal, not a file or pipe
 * @param progress whether {@code err} is a terminal, on which a line can be replaced
 * @param columns the width of a line of {@code out}; 0 if unknown
 * @param interactive whether {@code in} and {@code err} are a terminal, so that a user can answer
 */
public record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean color,
    boolean isTerminal,
    boolean progress,
    int columns,
    boolean interactive) {

  /** Wraps streams that do not replace control characters yet. */
  public Terminal {
    out = out instanceof PlainOutput.Stream ? out : PlainOutput.text(out, color);
    err = err instanceof PlainOutput.Stream ? err : PlainOutput.text(err, color);
  }

  /** Creates the streams of a command that no user can answer. */
  public Terminal(
      InputStream in,
      PrintStream out,
      PrintStream err,
      boolean color,
      boolean isTerminal,
      boolean progress,
      int columns) {
    this(in, out, err, color, isTerminal, progress, columns, false);
  }

  /** The minimum width of a line of text, in columns. */
  public static final int MIN_WIDTH = 60;

  /** The width in which lines of text are printed: that of the terminal, or the usual one. */
  public int lineWidth() {
    return columns == 0 ? Style.WIDTH : Math.max(columns, MIN_WIDTH);
  }

  /** The width of the terminal in the variable that shells set; 0 if it is not set. */
  public static int columns(@Nullable String variable) {
    boolean isNumber = variable != null && variable.matches("[1-9][0-9]{0,3}");
    return isNumber ? Integer.parseInt(variable) : 0;
  }

  /** The stream for reports in JSON, in which invisible characters are escaped. */
  public PrintStream json() {
    return PlainOutput.json(raw(out));
  }

  /** The stream for a log in JSON on {@code err}, in which invisible characters are escaped. */
  PrintStream jsonErrors() {
    return PlainOutput.json(raw(err));
  }

  /** The stream for JSON whose exact bytes matter: unchanged, unless it is a terminal. */
  public PrintStream data() {
    return isTerminal ? json() : raw(out);
  }

  /** The stream for the progress line, which contains no foreign text. */
  public PrintStream progressLine() {
    return raw(err);
  }

  /** Prints a message on one line of {@code err}. */
  public void complain(String message) {
    err.println(line(message));
  }

  /** The line of a message, with the name of the command. */
  public static String line(String message) {
    return "replay: " + Style.plain(message);
  }

  public Style style() {
    return new Style(color);
  }

  private static PrintStream raw(PrintStream stream) {
    return ((PlainOutput.Stream) stream).raw();
  }
}
