package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.RecoveryReport;
import dev.agentreplay.cli.text.RecoveryText;
import dev.agentreplay.cli.text.SalvageTally;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayFormatException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay recover}. */
@Command(
    name = "recover",
    header = "Report what an interrupted writer has left of a log, and repair it.",
    description = {
      "",
      "COMPLETE and OPEN logs are whole, with an end of the session or without one. A TORN_TAIL is",
      "what a write that was broken off leaves: --repair cuts it off, and keeps it beside the log,",
      "in a file .torn. A CORRUPT log has a line before its end that is no event: it is not",
      "repaired, but --salvage writes a new log of all lines that can be read, and lists the gaps,",
      "and --repair --cut ends the log before the first fault, and keeps what is behind it.",
      "Exit code: 0 whole, or repaired; 1 a torn tail that is still there, or salvaged from a log",
      "that is corrupt or has gaps; 3 corrupt."
    })
final class RecoverCommand extends TerminalCommand {

  @Mixin
  SessionInput input = new SessionInput();

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "A log, or its session.")
  String file = "";

  @Option(
      names = "--repair",
      description = "Cut off a torn tail, and add a line feed that is missing.")
  boolean repair;

  @Option(
      names = "--cut",
      description = "With --repair: if the log is corrupt, cut it off before the first fault.")
  boolean cut;

  @Option(
      names = "--salvage",
      paramLabel = "OUT",
      description = "Write what can be read, byte for byte, to a new log.")
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
      throw new ParameterException(spec.commandLine(), "--repair goes without --salvage");
    }
    if (cut && !repair) {
      throw new ParameterException(spec.commandLine(), "--cut goes with --repair");
    }
    if (overwrite && salvage == null) {
      throw new ParameterException(spec.commandLine(), "--overwrite goes with --salvage");
    }
    Path log = input.locate(file).log();
    if (salvage != null) {
      return salvage(log, salvage);
    }
    return repair
        ? repair(log)
        : report(new RecoveryReport(log, LogRecovery.of(log).inspect()));
  }

  private int repair(Path log) throws IOException {
    LogRecovery.Repair done;
    try {
      done = cut ? LogRecovery.of(log).truncate() : LogRecovery.of(log).repair();
    } catch (ReplayFormatException corrupt) {
      complain("not repaired: " + Style.plain(Failures.describe(corrupt)));
      return report(new RecoveryReport(log, LogRecovery.of(log).inspect()));
    }
    return report(new RecoveryReport(log, done.after()).with(done));
  }

  private int salvage(Path log, Path out) throws IOException {
    SalvageTally tally = new SalvageTally(out);
    RecoveryReport report = new RecoveryReport(log, LogRecovery.of(log).inspect()).with(tally);
    tally.setLines(LogRecovery.of(log).salvage(out, overwrite, tally::add));
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
