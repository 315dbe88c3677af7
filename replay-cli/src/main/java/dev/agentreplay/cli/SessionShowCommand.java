package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.RecordInput;
import dev.agentreplay.cli.input.RecordInput.OpenRecord;
import dev.agentreplay.cli.text.RecordText;
import dev.agentreplay.cli.text.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code replay session show}. */
@Command(
    name = "show",
    header = "Print a session record: inputs, rounds, messages, interventions, outputs, replays.",
    exitCodeList = {"0:Done.", "2:Wrong usage.", "3:Unreadable input."},
    footer = {
      "  replay session show record.json",
      "  replay session show --store research RS20260101-cell-fate",
      "  replay session replay --mode trace record.json    # with the texts of the messages"
    })
final class SessionShowCommand extends TerminalCommand {

  @Mixin
  RecordInput input = new RecordInput();

  @Mixin
  FormatOption format = new FormatOption();

  @Parameters(
      paramLabel = "RECORD",
      description = "File or directory of a record, or its id or session id in the store.")
  String name = "";

  SessionShowCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    OpenRecord opened = input.open(name);
    if (format.isJson()) {
      print(opened.record().toJson());
      return ExitCode.OK;
    }
    print(RecordText.show(opened.record()));
    if (opened.store() != null) {
      List<Path> reports = opened.store().reports(opened.record().id());
      for (Path report : reports) {
        print(RecordText.replay(report, opened.store().report(report)));
      }
    }
    return ExitCode.OK;
  }
}
