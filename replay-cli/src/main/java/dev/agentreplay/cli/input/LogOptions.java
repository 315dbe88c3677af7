package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.RunLog;
import dev.agentreplay.cli.text.Terminal;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the log of a replay on standard error. */
public final class LogOptions {

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      completionCandidates = Candidates.LogForms.class,
      description = "Log start, end and divergences to standard error; the form of the log:"
          + " ${COMPLETION-CANDIDATES} (default: no log).")
  private RunLog.@Nullable Form form;

  @Option(
      names = "--verbose",
      description = "Log each exchange to standard error, as text unless --log-format is given.")
  private boolean isVerbose;

  /** The requested log. */
  public RunLog open(Terminal terminal) {
    if (isVerbose) {
      return RunLog.of(form == null ? RunLog.Form.TEXT : form, Level.DEBUG, terminal);
    }
    return form == null ? RunLog.none(terminal) : RunLog.of(form, Level.INFO, terminal);
  }

  /** Whether all of the log is JSON, in which a line of progress would be out of place. */
  public boolean isJson() {
    return form == RunLog.Form.JSON;
  }
}
