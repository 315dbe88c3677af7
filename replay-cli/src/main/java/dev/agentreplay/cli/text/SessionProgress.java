package dev.agentreplay.cli.text;

import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.replay.InputDifference;
import dev.agentreplay.records.replay.SessionReplayListener;
import java.util.List;

/**
 * The progress of the replay of a session record: the inputs that differ, before anything runs, and
 * a line once a second, after two seconds.
 */
public final class SessionProgress implements SessionReplayListener, AutoCloseable {

  private final ProgressLine line;

  /**
   * Creates the progress of a replay on the standard error of a terminal.
   *
   * @param isQuiet whether nothing is printed
   */
  public SessionProgress(Terminal terminal, boolean isQuiet) {
    this.line = new ProgressLine(terminal, isQuiet);
  }

  /** Prints the inputs that differ, before the agents print anything. */
  @Override
  public void inputs(List<InputDifference> differences) {
    if (!line.isQuiet()) {
      differences.forEach(each -> line.say("differs: " + Style.plain(each.message())));
    }
  }

  @Override
  public void progress(Progress progress) {
    if (line.isShown(progress.elapsed())) {
      line.show("round %d, %d of %s, %s, %d s"
          .formatted(
              progress.round(),
              progress.completed(),
              PlainText.count(progress.expected(), "round"),
              PlainText.count(progress.messages(), "message"),
              progress.elapsed().toSeconds()));
    }
  }

  /** Erases the line; nothing is printed afterwards. */
  @Override
  public void close() {
    line.end();
  }
}
