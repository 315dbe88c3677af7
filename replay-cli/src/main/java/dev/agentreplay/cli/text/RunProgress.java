package dev.agentreplay.cli.text;

import dev.agentreplay.engine.replay.Circumstance;
import dev.agentreplay.engine.replay.ReplayListener;
import dev.agentreplay.model.text.PlainText;
import java.util.List;
import java.util.Locale;

/**
 * The progress of a replay: the circumstances in which it differs, before anything runs, and a line
 * once a second, after two seconds. That line is updated in place on a terminal, and erased before
 * other output.
 */
public final class RunProgress implements ReplayListener {

  private static final int MAX_NAME = 40;

  private final ProgressLine line;

  /**
   * Creates the progress of a replay on the standard error of a terminal.
   *
   * @param isQuiet whether only messages are printed
   */
  public RunProgress(Terminal terminal, boolean isQuiet) {
    this.line = new ProgressLine(terminal, isQuiet);
  }

  /** Prints the circumstances that differ, before an agent or an executor prints anything. */
  @Override
  public void circumstances(List<Circumstance> found) {
    if (!line.isQuiet()) {
      found.forEach(each -> say("differs: %s".formatted(Style.plain(each.text()))));
    }
  }

  @Override
  public void progress(Progress progress) {
    if (line.isShown(progress.elapsed())) {
      line.show(text(progress));
    }
  }

  private static String text(Progress progress) {
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

  /** Prints a message on a line of its own. */
  public void say(String message) {
    line.say(message);
  }

  /** Erases the line; nothing is printed afterwards. */
  public void end() {
    line.end();
  }
}
