package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Progress;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.batch.BatchResult;
import dev.agentreplay.verify.batch.BatchTotals;
import dev.agentreplay.verify.report.ReportJson;
import dev.agentreplay.verify.report.VerificationTable;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prints the results of verifications as they arrive, and sums them up. */
final class VerificationOutput {

  /** The rows of a screen: after more, failed sessions are listed again at the end. */
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
   * @param isQuiet whether valid sessions are left out
   */
  VerificationOutput(Terminal terminal, boolean isJson, boolean areSeveral, boolean isQuiet) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.areSeveral = areSeveral;
    this.isQuiet = isQuiet;
    this.table = VerificationTable.of(terminal.style());
    this.progress =
        new Progress(terminal.progressLine(), terminal.progress() && areSeveral, System::nanoTime);
  }

  /** Prints one of several. */
  void print(BatchResult result) {
    totals = totals.plus(result);
    if (result instanceof BatchResult.Verified verified) {
      print(result.path(), verified.report());
    } else if (result instanceof BatchResult.Failed failure) {
      print(result.path(), failure.failure());
    }
  }

  void print(Path path, VerificationReport report) {
    count(path, ExitCode.of(report));
    if (!isQuiet || report.verdict() != Verdict.VALID) {
      print(
          isJson
              ? ReportJson.render(report) + "\n"
              : areSeveral
                  ? heading() + table.row(path, report)
                  : VerificationText.render(report, path.toString(), terminal.style()));
    }
    progress.count();
  }

  void print(Path path, IOException failure) {
    count(path, ExitCode.UNREADABLE);
    String reason = Failures.describe(failure);
    print(
        isJson
            ? ReportJson.renderUnreadable(path.toString(), reason) + "\n"
            : areSeveral ? heading() + table.row(path, reason) : "");
    terminal.complain(reason);
    progress.count();
  }

  private void print(String text) {
    progress.erase();
    PrintStream out = isJson ? terminal.json() : terminal.out();
    out.print(text);
    out.flush(); // a reader in a pipe gets each result at once
  }

  private void count(Path path, int code) {
    worst = Math.max(worst, code);
    if (code != ExitCode.OK) {
      failures++;
      if (failed.size() < MOST_FAILED) {
        failed.add(Style.plain(path.toString()));
      }
    }
  }

  /** Prints the totals. Returns the highest exit code of all sessions. */
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

  private String heading() {
    return rows++ == 0 ? table.heading() : "";
  }
}
