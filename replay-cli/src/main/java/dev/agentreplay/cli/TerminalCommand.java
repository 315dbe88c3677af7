package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** A command that reads and writes; subclasses have a constructor that takes the terminal. */
@Command(mixinStandardHelpOptions = true)
abstract class TerminalCommand implements Callable<Integer> {

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
