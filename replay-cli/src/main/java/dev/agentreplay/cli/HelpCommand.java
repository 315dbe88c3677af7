package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code replay help}. */
@Command(
    name = "help",
    header = "Print the help of a command.",
    exitCodeList = {"0:Done.", "2:Unknown command."},
    footer = {"  replay help", "  replay help verify"})
final class HelpCommand extends TerminalCommand {

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      completionCandidates = Names.class,
      description = "Command to explain.")
  @Nullable
  String command;

  /** The names of the commands. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return ReplayCommand.SUBCOMMANDS.iterator();
    }
  }

  HelpCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    CommandLine explained = command == null ? root : root.getSubcommands().get(command);
    if (explained == null) {
      throw new UnmatchedArgumentException(root, List.of(command));
    }
    explained.usage(root.getOut());
    return ExitCode.OK;
  }
}
