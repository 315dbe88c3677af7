package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.StoreInput;
import dev.agentreplay.cli.text.RecordText;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.records.store.BrokenRecord;
import dev.agentreplay.records.store.StoredRecord;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code replay session list}. */
@Command(
    name = "list",
    header = "List the session records in a store.",
    description = {
      "Prints the id, the time, the numbers of rounds, messages and replays, and whether the record can be",
      "replayed. With --format json, one line for each record."
    },
    exitCodeList = {"0:Listed.", "2:Wrong usage.", "3:A record, or the store, cannot be read."},
    footer = {"  replay session list --store research"})
final class SessionListCommand extends TerminalCommand {

  @Mixin
  StoreInput store = new StoreInput();

  @Mixin
  FormatOption format = new FormatOption();

  SessionListCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    List<StoredRecord> records = store.open().list();
    if (format.isJson()) {
      records.forEach(record -> print(RecordText.json(record)));
    } else {
      print(RecordText.list(records));
    }
    boolean isWhole = records.stream().noneMatch(record -> record instanceof BrokenRecord);
    return isWhole ? ExitCode.OK : ExitCode.UNREADABLE;
  }
}
