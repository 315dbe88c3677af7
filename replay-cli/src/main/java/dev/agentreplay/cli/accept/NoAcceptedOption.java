package dev.agentreplay.cli.accept;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.accept.Acceptance;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --no-accepted} of a replay. */
public final class NoAcceptedOption {

  @Option(
      names = "--no-accepted",
      description = "Do not honor the accepted divergences of the recording, which replay accept"
          + " has written.")
  private boolean ignored;

  private Acceptance acceptance = Acceptance.none();

  /**
   * Returns the options of a comparison with what is accepted for the recording.
   *
   * @throws IOException if the file cannot be read, or is not one of accepted divergences
   */
  public DiffOptions applyTo(DiffOptions options, Session recording) throws IOException {
    if (ignored) {
      return options;
    }
    acceptance = Acceptance.read(recording, LocalDate.now(ZoneOffset.UTC));
    return acceptance.applyTo(options);
  }

  /** Prints what users should know of the file: entries that expired, or are not used. */
  public void tell(ReplayReport report, Terminal terminal) {
    acceptance.notes(report).forEach(terminal::complain);
  }

  /** Prints the same after several replays. */
  public void tell(List<ReplayReport> reports, Terminal terminal) {
    acceptance.notesOfReplays(reports).forEach(terminal::complain);
  }
}
