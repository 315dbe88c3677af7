package dev.agentreplay.cli.accept;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.replay.ReplayReport;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --no-accepted} of a replay. */
public final class NoAcceptedOption extends BaselineAcceptance {

  @Option(
      names = "--no-accepted",
      description = "Do not honor the accepted divergences of the recording, which replay accept"
          + " has written.")
  private boolean ignored;

  @Override
  boolean isHonored() {
    return !ignored;
  }

  /** Prints what users should know of the file: entries that expired, or are not used. */
  public void tell(List<ReplayReport> reports, Terminal terminal) {
    acceptance.notesOfReplays(reports).forEach(terminal::complain);
  }
}
