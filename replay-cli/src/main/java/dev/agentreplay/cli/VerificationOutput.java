package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Progress;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.batch.BatchResult;
import dev.agentreplay.verify.batch.BatchTotals;
import dev.agentreplay.verify.report.ReportJson;
import dev.agentreplay.verify.report.VerificationTable;
import dev.agentreplay.verify.report.VerificationText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Prints verifications as they become known, and keeps what they come to. */
final class VerificationOutput {

  /** Rows that a screen holds: what has scrolled off it is told again at the end. */
  private static final int SCREEN = 24;

  private static final int MOST_FAILED = 10;

  private final Terminal terminal;
  private final boolean isJson;
  private final boolean areSeveral;
  private final boolean isQuiet;
  private final VerificationTable table;
  private final Progress progress;
  private final List<String> failed = new ArrayList<>();
  private BatchTotals totals = BatchTotals.NONE;
  private int worst = ExitCode.OK;
  private long failures;
  private long rows;

  /**
   * The output of one run of the command.
   *
   * @param areSeveral whether text is a table
   * @param isQuiet whether nothing is said of sessions that are valid
   */
  VerificationOutput(Terminal terminal, boolean isJson, boolean areSeveral, boolean isQuiet) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.areSeveral = areSeveral;
    this.isQuiet = isQuiet;
    this.table = new VerificationTable(terminal.style());
    this.progress =
        new Progress(terminal.progressLine(), terminal.progress() && areSeveral, System::nanoTime);
  }

  void print(BatchResult result) {
    int code = result.report() == null ? ExitCode.UNREADABLE : ExitCode.of(result.report());
    worst = Math.max(worst, code);
    totals = totals.plus(result);
    if (code != ExitCode.OK) {
      failures++;
      if (failed.size() < MOST_FAILED) {
        failed.add(Style.plain(result.path().toString()));
      }
    }
    if (!isQuiet || result.verdict() != Verdict.VALID) {
      progress.erase();
      PrintStream out = isJson ? terminal.json() : terminal.out();
      out.print(text(result));
      out.flush(); // a reader in a pipe wants it now
      if (result.failure() != null) {
        terminal.complain(Failures.describe(result.failure()));
      }
    }
    progress.count();
  }

  /** Prints what all come to. Returns the exit code: the worst. */
  int finish() {
    progress.erase();
    if (areSeveral && isJson) {
      terminal.json().print(ReportJson.render(totals) + "\n");
    } else if (areSeveral) {
      terminal.out().print(table.totals(totals));
      if (rows > SCREEN && failures > 0) {
        terminal.out().print("failed:\n  " + String.join("\n  ", failed) + "\n");
        if (failures > failed.size()) {
          terminal
              .out()
              .print("  and %,d more, which --quiet lists\n".formatted(failures - failed.size()));
        }
      }
    }
    return worst;
  }

  private String text(BatchResult result) {
    VerificationReport report = result.report();
    if (isJson) {
      return (report == null ? unreadable(result) : ReportJson.render(report)) + "\n";
    }
    if (areSeveral) {
      return (rows++ == 0 ? table.heading() : "")
          + (report == null ? table.row(result, reason(result)) : table.row(result, report));
    }
    return report == null
        ? ""
        : VerificationText.render(report, result.path().toString(), terminal.style());
  }

  private static JsonObject unreadable(BatchResult result) {
    return ReportJson.renderUnreadable(result.path().toString(), reason(result));
  }

  private static String reason(BatchResult result) {
    return Failures.describe(Objects.requireNonNull(result.failure(), "a failure"));
  }
}
