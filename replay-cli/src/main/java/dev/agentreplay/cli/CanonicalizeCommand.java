package dev.agentreplay.cli;

import dev.agentreplay.cli.input.JsonInput;
import dev.agentreplay.cli.text.Terminal;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code replay canonicalize}. */
@Command(
    name = "canonicalize",
    header = "Print the canonical form of a JSON value.",
    description = "Prints exactly the bytes that are hashed, without a line feed at the end.",
    exitCodeList = {"0:Done.", "2:Wrong usage.", "3:Not a JSON value."},
    footer = {
      "  replay canonicalize params.json",
      "  echo '{\"b\":1,\"a\":2}' | replay canonicalize"
    })
final class CanonicalizeCommand extends TerminalCommand {

  @Mixin
  JsonInput input = new JsonInput();

  CanonicalizeCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    input.form(input.read(terminal)).writeTo(terminal.data());
    return ExitCode.OK;
  }
}
