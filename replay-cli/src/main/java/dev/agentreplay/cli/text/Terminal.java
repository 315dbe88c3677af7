package dev.agentreplay.cli.text;

import java.io.InputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the command reads and writes. Whatever is printed is shown as {@link PlainOutput} shows it.
 *
 * @param in what is piped into it
 * @param out takes reports
 * @param err takes progress and errors
 * @param color whether reports may be coloured
 * @param isTerminal whether {@code out} is a terminal, and no file or pipe
 * @param progress whether somebody watches {@code err}, on which a line can be replaced
 * @param columns how wide a line of {@code out} is; 0 when that is not known
 */
public record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean color,
    boolean isTerminal,
    boolean progress,
    int columns) {

  /** A stream that is not plain yet becomes so. */
  public Terminal {
    out = out instanceof PlainOutput.Stream ? out : PlainOutput.text(out, color);
    err = err instanceof PlainOutput.Stream ? err : PlainOutput.text(err, color);
  }

  /** How wide the terminal is, as shells say it; 0 when they do not. */
  public static int columns(@Nullable String variable) {
    boolean isNumber = variable != null && variable.matches("[1-9][0-9]{0,3}");
    return isNumber ? Integer.parseInt(variable) : 0;
  }

  /** Takes reports in JSON: the same JSON, in which what would not be seen is escaped. */
  public PrintStream json() {
    return PlainOutput.json(raw(out));
  }

  /** Takes JSON whose bytes matter: as they are, unless they go to a terminal. */
  public PrintStream data() {
    return isTerminal ? json() : raw(out);
  }

  /** Takes the line that is replaced, which has no text from elsewhere. */
  public PrintStream progressLine() {
    return raw(err);
  }

  /** Prints a message on one line. */
  public void complain(String message) {
    err.println(line(message));
  }

  /** The line of a message for people. */
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
