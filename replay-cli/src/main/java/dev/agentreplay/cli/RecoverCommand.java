package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.ElapsedTime;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.RecoveryReport;
import dev.agentreplay.cli.text.RecoveryText;
import dev.agentreplay.cli.text.SalvageTally;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.OpenSession;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay recover}. */
@Command(
    name = "recover",
    header = "Diagnose and repair a log after a crash.",
    description = {
      "A log is COMPLETE or OPEN (intact, with or without the end of the session), or it has a TORN_TAIL",
      "(an incomplete last line that an interrupted write left), or it is CORRUPT (an invalid line before",
      "its end). --repair cuts a torn tail off and keeps its bytes in a .torn file next to the log. A",
      "corrupt log is not repaired by itself: --salvage copies all readable lines to a new log and lists",
      "the gaps, and --repair --cut truncates the log before the first fault and keeps the rest."
    },
    exitCodeList = {
      "0:Intact, or repaired.",
      "1:A torn tail; or salvaged from a log that is corrupt or has gaps.",
      "2:Wrong usage.",
      "3:Corrupt, unreadable, or not a log."
    },
    footer = {
      "  replay recover sessions/fix-auth",
      "  replay recover --repair sessions/fix-auth",
      "  replay recover --salvage rescued.jsonl sessions/fix-auth"
    })
final class RecoverCommand extends TerminalCommand {

  @Mixin
  SessionInput input = new SessionInput(terminal);

  @Parameters(
      paramLabel = "FILE",
      description = "Log, session directory, or id; without --repair also a packed session.")
  String file = "";

  @Option(
      names = "--repair",
      description = "Cut off a torn tail; add a missing line feed at the end.")
  boolean repair;

  @Option(
      names = "--cut",
      description = "With --repair: truncate a corrupt log before the first fault.")
  boolean cut;

  @Option(
      names = "--salvage",
      paramLabel = "OUT",
      description = "Copy all readable lines, byte for byte, to a new log OUT.")
  @Nullable
  Path salvage;

  @Option(names = "--overwrite", description = "Replace OUT if it exists.")
  boolean overwrite;

  @Mixin
  FormatOption format = new FormatOption();

  RecoverCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (repair && salvage != null) {
      throw new UsageException("--repair and --salvage exclude each other");
    }
    if (cut && !repair) {
      throw new UsageException("--cut requires --repair");
    }
    if (overwrite && salvage == null) {
      throw new UsageException("--overwrite requires --salvage");
    }
    if (repair) {
      return repair(input.locateForWriting(file).log());
    }
    try (OpenSession open = input.open(file)) {
      Path log = open.session().log();
      return salvage == null ? report(inspect(log)) : salvage(log, salvage);
    }
  }

  private RecoveryReport inspect(Path log) throws IOException {
    Recovery recovery =
        ElapsedTime.during(terminal, "reading", () -> LogRecovery.of(log).inspect());
    return new RecoveryReport(log, recovery);
  }

  private int repair(Path log) throws IOException {
    LogRecovery.Repair done;
    try {
      done = ElapsedTime.during(
          terminal,
          "repairing",
          () -> cut ? LogRecovery.of(log).truncate() : LogRecovery.of(log).repair());
    } catch (ReplayFormatException corrupt) {
      complain("not repaired: " + Style.plain(Failures.describe(corrupt)));
      return report(inspect(log));
    }
    return report(new RecoveryReport(log, done.after()).with(done));
  }

  private int salvage(Path log, Path out) throws IOException {
    input.requireOutput(out);
    SalvageTally tally = new SalvageTally(out);
    RecoveryReport report = inspect(log).with(tally);
    tally.setLines(ElapsedTime.during(
        terminal, "salvaging", () -> LogRecovery.of(log).salvage(out, overwrite, tally::add)));
    print(report);
    boolean isWhole = tally.gaps() == 0 && !(report.recovery() instanceof Recovery.Corrupt);
    return isWhole ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private int report(RecoveryReport report) {
    print(report);
    Recovery recovery = report.recovery();
    if (recovery instanceof Recovery.Corrupt) {
      return ExitCode.UNREADABLE;
    }
    return recovery instanceof Recovery.TornTail ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private void print(RecoveryReport report) {
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(new RecoveryText(terminal.style()).render(file, report));
    }
  }
}
