package dev.agentreplay.cli.text;

import dev.agentreplay.engine.replay.Circumstance;
import dev.agentreplay.engine.replay.ReplayListener;
import dev.agentreplay.model.text.PlainText;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The progress of a replay: the circumstances in which it differs, before anything runs, and a line
 * once a second, after two seconds. That line is updated in place on a terminal, and erased before
 * other output.
 */
public final class RunProgress implements ReplayListener {

  private static final Duration SILENT = Duration.ofSeconds(2);
  private static final int MAX_NAME = 40;

  private final PrintStream err;
  private final boolean isTerminal;
  private final boolean isQuiet;

  /** Guarded by this object, because the replay reports on its own threads. */
  private int width;

  private boolean isOver;

  /**
   * Creates the progress of a replay on the standard error of a terminal.
   *
   * @param isQuiet whether only messages are printed
   */
  public RunProgress(Terminal terminal, boolean isQuiet) {
    this.isQuiet = isQuiet;
    // a line that is replaced needs a carriage return, which the other stream does not pass
    this.err = terminal.progress() ? terminal.progressLine() : terminal.err();
    this.isTerminal = terminal.progress();
  }

  /** Prints the circumstances that differ, before an agent or an executor prints anything. */
  @Override
  public void circumstances(List<Circumstance> found) {
    if (!isQuiet) {
      found.forEach(each -> say("differs: %s".formatted(Style.plain(each.text()))));
    }
  }

  @Override
  public synchronized void progress(Progress progress) {
    if (isOver || isQuiet || progress.elapsed().compareTo(SILENT) < 0) {
      return;
    }
    String text = line(progress);
    if (!isTerminal) {
      err.println(text);
      return;
    }
    erase();
    width = text.length();
    err.print(text);
    err.flush();
  }

  private static String line(Progress progress) {
    StringBuilder text = new StringBuilder(
        String.format(Locale.ROOT, "%,d of %,d exchanges", progress.read(), progress.recorded()));
    if (progress.requests() != progress.read()) {
      text.append(", ").append(PlainText.count(progress.requests(), "request"));
    }
    if (progress.divergences() > 0) {
      text.append(", ").append(PlainText.count(progress.divergences(), "divergence"));
    }
    text.append(", ").append(progress.elapsed().toSeconds()).append(" s");
    if (progress.paused()) {
      text.append(", paused");
    } else if (progress.running() != null) {
      String name = Style.plain(progress.running());
      text.append(", running ")
          .append(name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME - 1) + "…");
    }
    return text.toString();
  }

  private void erase() {
    if (width > 0) {
      err.print("\r" + " ".repeat(width) + "\r");
      err.flush();
      width = 0;
    }
  }

  /** Prints a message on a line of its own. */
  public synchronized void say(String message) {
    erase();
    err.println(Terminal.line(message));
  }

  /** Erases the line; nothing is printed afterwards. */
  public synchronized void end() {
    erase();
    isOver = true;
  }
}
