package dev.agentreplay.cli;

import dev.agentreplay.model.text.LibraryVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code replay}, with its subcommands. */
@Command(
    name = "replay",
    versionProvider = ReplayCommand.VersionText.class,
    synopsisSubcommandLabel = "COMMAND",
    header = "Record, verify, compare and replay sessions of AI agents (REPLAY.jsonl).",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Valid, identical, or done.",
      "1:Findings or divergences.",
      "2:Wrong usage.",
      "3:Unreadable input: malformed, torn, or not found.",
      "4:Incomplete or unverified replay.",
      "70:Internal error.",
      "130:Interrupted."
    },
    footer = {
      "",
      "A SESSION is a session directory, a log (REPLAY.jsonl, plain or gzip), a packed session, or an id",
      "under --sessions. Commands that only read one take a trace of a different tool, too.",
      "'replay help COMMAND' prints the options of a command, and examples."
    },
    subcommands = {
      DemoCommand.class,
      VerifyCommand.class,
      ShowCommand.class,
      ListCommand.class,
      SearchCommand.class,
      TailCommand.class,
      StatsCommand.class,
      DiffCommand.class,
      AcceptCommand.class,
      RunCommand.class,
      ForksCommand.class,
      AttributeCommand.class,
      McpProxyCommand.class,
      SessionCommand.class,
      DoctorCommand.class,
      LintCommand.class,
      ReceiptCommand.class,
      KeygenCommand.class,
      SignCommand.class,
      CheckpointCommand.class,
      ProveCommand.class,
      CheckCommand.class,
      RedactCommand.class,
      DiscloseCommand.class,
      ScanCommand.class,
      ConvertCommand.class,
      ImportCommand.class,
      RecoverCommand.class,
      PackCommand.class,
      UnpackCommand.class,
      SnapshotCommand.class,
      RestoreCommand.class,
      HashCommand.class,
      CanonicalizeCommand.class,
      CompletionCommand.class,
      HelpCommand.class
    })
final class ReplayCommand implements Callable<Integer> {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version.")
  boolean version;

  @Spec
  CommandSpec spec = CommandSpec.create();

  /** Prints the help, because no command was named. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }

  /** The text of {@code --version}. */
  static final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = LibraryVersion.find(ReplayCommand.class);
      return new String[] {"replay " + (version == null ? "of unknown version" : version)};
    }
  }
}
