package dev.agentreplay.cli.accept;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.diff.SessionDiff;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --accepted} of a comparison. */
public final class AcceptedOption extends BaselineAcceptance {

  @Option(
      names = "--accepted",
      description = "Honor the accepted divergences of A, which replay accept has written: they do"
          + " not fail the comparison.")
  private boolean accepted;

  @Override
  boolean isHonored() {
    return accepted;
  }

  /** Prints what users should know of the file: entries that expired, or are not used. */
  public void tell(List<SessionDiff> diffs, Terminal terminal) {
    acceptance.notes(diffs).forEach(terminal::complain);
  }
}
