package dev.agentreplay.cli.accept;

import dev.agentreplay.engine.accept.Acceptance;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The accepted divergences of the session with which others are compared. */
abstract class BaselineAcceptance {

  /** The entries that apply today; none until they are read. */
  Acceptance acceptance = Acceptance.none();

  /** Whether accepted divergences are honored. */
  abstract boolean isHonored();

  /**
   * Returns the options of a comparison with what is accepted for a recording.
   *
   * @throws IOException if the file cannot be read, or is not one of accepted divergences
   */
  public DiffOptions applyTo(DiffOptions options, Session recording) throws IOException {
    if (!isHonored()) {
      return options;
    }
    acceptance = Acceptance.read(recording, LocalDate.now(ZoneOffset.UTC));
    return acceptance.applyTo(options);
  }
}
