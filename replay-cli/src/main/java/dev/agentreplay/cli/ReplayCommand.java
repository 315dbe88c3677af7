package dev.agentreplay.cli;

import dev.agentreplay.model.text.LibraryVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command itself. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    versionProvider = ReplayCommand.VersionText.class,
    synopsisSubcommandLabel = "COMMAND",
    header = "Record, verify and compare sessions of AI agents (REPLAY.jsonl).",
    footer = {
      "",
      "A SESSION is a directory with a REPLAY.jsonl, a log, or an id under --sessions.",
      "Exit codes: 0 valid, identical, done; 1 findings or divergences; 2 wrong usage;",
      "3 input unreadable; 70 internal error."
    },
    subcommands = {
      DemoCommand.class,
      VerifyCommand.class,
      ShowCommand.class,
      StatsCommand.class,
      DiffCommand.class,
      ReceiptCommand.class,
      KeygenCommand.class,
      SignCommand.class,
      CheckpointCommand.class,
      ProveCommand.class,
      CheckCommand.class,
      ConvertCommand.class,
      RecoverCommand.class,
      PackCommand.class,
      UnpackCommand.class,
      HashCommand.class,
      CanonicalizeCommand.class,
      HelpCommand.class
    })
final class ReplayCommand implements Callable<Integer> {

  @Spec
  CommandSpec spec = CommandSpec.create();

  /** No command was named. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }

  /** Tells the version. */
  static final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = LibraryVersion.find(ReplayCommand.class);
      return new String[] {"replay " + (version == null ? "of unknown version" : version)};
    }
  }
}
