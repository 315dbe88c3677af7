package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.InvalidInputException;
import dev.agentreplay.cli.input.RecordInput;
import dev.agentreplay.cli.input.RecordInput.OpenRecord;
import dev.agentreplay.cli.text.RecordText;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.records.store.RecordCheck;
import dev.agentreplay.records.store.RecordCheckReport;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code replay session check}. */
@Command(
    name = "check",
    header = "Check a session record, and its consistency with its texts.",
    description = {
      "Lists each constraint of the specification that the record breaks; then each contradiction: texts",
      "and their hashes and lengths, rounds, times, the summary of interventions, and the final artifact."
    },
    exitCodeList = {
      "0:No problems.",
      "1:Problems.",
      "2:Wrong usage.",
      "3:Not a session record; each problem is listed."
    },
    footer = {
      "  replay session check record.json",
      "  replay session check --store research RS20260101-cell-fate"
    })
final class SessionCheckCommand extends TerminalCommand {

  @Mixin
  RecordInput input = new RecordInput();

  @Mixin
  FormatOption format = new FormatOption();

  @Parameters(
      paramLabel = "RECORD",
      description = "File or directory of a record, or its id or session id in the store.")
  String name = "";

  SessionCheckCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    OpenRecord opened;
    try {
      opened = input.open(name);
    } catch (InvalidInputException e) {
      if (!format.isJson()) {
        throw e;
      }
      print(RecordText.json(name, e.problems()));
      return ExitCode.UNREADABLE;
    }
    RecordCheckReport report = RecordCheck.of(opened.record(), opened.texts());
    if (format.isJson()) {
      print(RecordText.json(name, report));
    } else {
      print(RecordText.check(opened.record(), report));
    }
    return report.isConsistent() ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
