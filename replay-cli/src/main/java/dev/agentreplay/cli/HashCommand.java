package dev.agentreplay.cli;

import dev.agentreplay.canonical.CanonicalJson;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code replay hash}. */
@Command(name = "hash", header = "Prints the hash of the canonical form of a JSON value.")
final class HashCommand extends TerminalCommand {

  @Mixin
  JsonInput input = new JsonInput();

  HashCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    print(CanonicalJson.SERDE.hash(input.read(terminal)) + "\n");
    return ExitCode.OK;
  }
}
