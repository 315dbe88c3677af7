package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import picocli.CommandLine;

/** Creates commands, with the terminal for those that read or write. */
final class CommandFactory implements CommandLine.IFactory {

  private final Terminal terminal;

  CommandFactory(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    if (TerminalCommand.class.isAssignableFrom(type)) {
      return type.getDeclaredConstructor(Terminal.class).newInstance(terminal);
    }
    return CommandLine.defaultFactory().create(type);
  }
}
