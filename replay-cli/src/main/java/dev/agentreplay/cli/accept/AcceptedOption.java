package dev.agentreplay.cli.accept;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.accept.Acceptance;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --accepted} of a comparison. */
public final class AcceptedOption {

  @Option(
      names = "--accepted",
      description = "Honor the accepted divergences of A, which replay accept has written: they do"
          + " not fail the comparison.")
  private boolean accepted;

  private Acceptance acceptance = Acceptance.none();

  /**
   * Returns the options of a comparison with what is accepted for the baseline session.
   *
   * @throws IOException if the file cannot be read, or is not one of accepted divergences
   */
  public DiffOptions applyTo(DiffOptions options, Session baseline) throws IOException {
    if (!accepted) {
      return options;
    }
    acceptance = Acceptance.read(baseline, LocalDate.now(ZoneOffset.UTC));
    return acceptance.applyTo(options);
  }

  /** Prints what users should know of the file: entries that expired, or are not used. */
  public void tell(List<SessionDiff> diffs, Terminal terminal) {
    acceptance.notes(diffs).forEach(terminal::complain);
  }
}
