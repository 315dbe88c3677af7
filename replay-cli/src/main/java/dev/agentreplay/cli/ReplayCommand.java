package dev.agentreplay.cli;

import dev.agentreplay.model.text.LibraryVersion;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code replay}. Of its subcommands, only the one that is named is loaded. */
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
    })
final class ReplayCommand implements Callable<Integer> {

  /** The names of the subcommands, in the order of the help. */
  static final List<String> SUBCOMMANDS = List.of(
      "demo",
      "verify",
      "show",
      "list",
      "search",
      "tail",
      "stats",
      "diff",
      "accept",
      "run",
      "forks",
      "attribute",
      "mcp-proxy",
      "session",
      "doctor",
      "lint",
      "receipt",
      "keygen",
      "sign",
      "checkpoint",
      "prove",
      "check",
      "redact",
      "disclose",
      "scan",
      "convert",
      "import",
      "recover",
      "pack",
      "unpack",
      "snapshot",
      "restore",
      "hash",
      "canonicalize",
      "completion",
      "help");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  /** The names of the option that prints the version. */
  static final List<String> VERSION_OPTIONS = List.of("-V", "--version");

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version.")
  boolean version;

  @Spec
  CommandSpec spec = CommandSpec.create();

  /**
   * Adds the subcommand that the first argument names. Adds all if it does not name one, and for
   * {@code help} and {@code completion}, which print something about the others.
   */
  static void addSubcommands(CommandLine replay, String... args) {
    String name = args.length == 0 ? "" : args[0];
    boolean isAlone =
        SUBCOMMANDS.contains(name) && !name.equals("help") && !name.equals("completion");
    for (String each : isAlone ? List.of(name) : SUBCOMMANDS) {
      CommandLine command = new CommandLine(type(each), replay.getFactory());
      // the options of a server are not those of the proxy
      command.setStopAtPositional(each.equals("mcp-proxy"));
      replay.addSubcommand(command);
    }
  }

  private static Class<?> type(String name) {
    return switch (name) {
      case "demo" -> DemoCommand.class;
      case "verify" -> VerifyCommand.class;
      case "show" -> ShowCommand.class;
      case "list" -> ListCommand.class;
      case "search" -> SearchCommand.class;
      case "tail" -> TailCommand.class;
      case "stats" -> StatsCommand.class;
      case "diff" -> DiffCommand.class;
      case "accept" -> AcceptCommand.class;
      case "run" -> RunCommand.class;
      case "forks" -> ForksCommand.class;
      case "attribute" -> AttributeCommand.class;
      case "mcp-proxy" -> McpProxyCommand.class;
      case "session" -> SessionCommand.class;
      case "doctor" -> DoctorCommand.class;
      case "lint" -> LintCommand.class;
      case "receipt" -> ReceiptCommand.class;
      case "keygen" -> KeygenCommand.class;
      case "sign" -> SignCommand.class;
      case "checkpoint" -> CheckpointCommand.class;
      case "prove" -> ProveCommand.class;
      case "check" -> CheckCommand.class;
      case "redact" -> RedactCommand.class;
      case "disclose" -> DiscloseCommand.class;
      case "scan" -> ScanCommand.class;
      case "convert" -> ConvertCommand.class;
      case "import" -> ImportCommand.class;
      case "recover" -> RecoverCommand.class;
      case "pack" -> PackCommand.class;
      case "unpack" -> UnpackCommand.class;
      case "snapshot" -> SnapshotCommand.class;
      case "restore" -> RestoreCommand.class;
      case "hash" -> HashCommand.class;
      case "canonicalize" -> CanonicalizeCommand.class;
      case "completion" -> CompletionCommand.class;
      case "help" -> HelpCommand.class;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Prints the help, because no command was named. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }

  /** The text of {@code --version}. */
  static String versionText() {
    String version = LibraryVersion.find(ReplayCommand.class);
    return "replay " + (version == null ? "of unknown version" : version);
  }

  /** The text of {@code --version} for picocli. */
  static final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {versionText()};
    }
  }
}
