package dev.agentreplay.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code replay session}, with its subcommands. */
@Command(
    name = "session",
    synopsisSubcommandLabel = "COMMAND",
    header = "Record, check, list, show and replay session records (specification 004).",
    description = {
      "A session record describes a research session of several agents: its inputs, the hashes of the",
      "messages in each round, interventions of operators, and outputs. Its texts are kept next to it, in",
      "the directory content."
    },
    descriptionHeading = "%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footer = {"", "'replay session COMMAND --help' prints the options of a command, and examples."},
    subcommands = {
      SessionRecordCommand.class,
      SessionCheckCommand.class,
      SessionListCommand.class,
      SessionShowCommand.class,
      SessionReplayCommand.class
    })
final class SessionCommand implements Callable<Integer> {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  @Spec
  CommandSpec spec = CommandSpec.create();

  /** Prints the help, because no command was named. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
