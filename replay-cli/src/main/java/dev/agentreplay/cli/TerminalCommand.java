package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command that reads and writes; subclasses have a constructor that takes the terminal. */
@Command(
    abbreviateSynopsis = true,
    descriptionHeading = "%n",
    parameterListHeading = "%nArguments:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit codes:%n",
    footerHeading = "%nExamples:%n")
abstract class TerminalCommand implements Callable<Integer> {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  final Terminal terminal;

  TerminalCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  final void print(String text) {
    terminal.out().print(text);
  }

  final void print(JsonObject json) {
    terminal.json().print(json + "\n");
  }

  final void complain(String message) {
    terminal.complain(message);
  }
}
