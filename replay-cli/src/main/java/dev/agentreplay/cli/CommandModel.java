package dev.agentreplay.cli;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.cli.AttributeCommand.OutcomeName;
import dev.agentreplay.cli.VerifyCommand.RequirementName;
import dev.agentreplay.cli.folder.SessionRow;
import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.Candidates.Severities;
import dev.agentreplay.cli.input.Choice;
import dev.agentreplay.cli.input.FormatOption.Format;
import dev.agentreplay.cli.input.PathConverter;
import dev.agentreplay.cli.input.ReportForm;
import dev.agentreplay.cli.input.SecondsConverter;
import dev.agentreplay.cli.text.RunLog;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.Unmatched;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts.OnTimeout;
import dev.agentreplay.engine.replay.policy.StreamPace;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.publish.PublishOptions.Hashes;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.replay.OnInputs;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The model of the command line: its options, their types, and the reports of wrong usage. */
final class CommandModel {

  /** The enums that are read in their spelling, see {@link Candidates#spelling}. */
  private static final List<Class<? extends Enum<?>>> CHOICES = List.of(
      Format.class,
      ReportForm.Format.class,
      SessionRow.Order.class,
      OutcomeName.class,
      ReplayMode.class,
      OnUnmatched.class,
      OnTimeout.class,
      StreamPace.class,
      RunLog.Form.class,
      Feed.class,
      OnInputs.class,
      OnInterventions.class,
      RequirementName.class,
      CompletionCommand.Shell.class,
      ReceiptCommand.Form.class,
      Canonicalization.class,
      ConvertCommand.Form.class,
      Hashes.class);

  private CommandModel() {}

  /** Parses a hash with or without its prefix {@code sha256:}. */
  private static ContentHash parseHash(String text) {
    ContentHash hash = ContentHash.tryParse(text.startsWith("sha256:") ? text : "sha256:" + text);
    if (hash == null) {
      throw new TypeConversionException(
          "expected 64 lower-case hexadecimal digits, found \"" + text + '"');
    }
    return hash;
  }

  /** Parses the mode of a session record's replay, in the spelling of commands or of reports. */
  private static Mode parseMode(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "verify", "verification" -> Mode.VERIFICATION;
      case "compare", "comparison" -> Mode.COMPARISON;
      case "trace" -> Mode.TRACE;
      default ->
        throw new TypeConversionException(
            "expected verify, compare or trace, found \"" + Style.plain(text) + '"');
    };
  }

  private static SandboxChoice parseSandbox(String text) {
    try {
      return SandboxChoice.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(Style.plain(String.valueOf(e.getMessage())));
    }
  }

  /**
   * A conversion of a word by a function. A lambda that implements the interface of picocli itself
   * could not be in an archive of classes: its class file version is from before Java 6, and Java
   * 17 crashes when it archives such a lambda.
   */
  private record Conversion<T>(Function<String, T> function) implements ITypeConverter<T> {
    @Override
    public T convert(String text) {
      return function.apply(text);
    }
  }

  /** The command, ready to run, with the subcommands that the arguments require. */
  static CommandLine create(Terminal terminal, String... args) {
    CommandLine commandLine = new CommandLine(new ReplayCommand(), new Factory(terminal));
    ReplayCommand.addSubcommands(commandLine, args);
    commandLine.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
    commandLine.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
    commandLine.registerConverter(Path.class, new PathConverter());
    for (Class<? extends Enum<?>> type : CHOICES) {
      register(commandLine, type);
    }
    commandLine.registerConverter(DivergenceSeverity.class, new Choice<>(() -> Severities.VALUES));
    commandLine.registerConverter(TraceFormat.class, new Choice<>(TraceImporter::formats));
    commandLine.registerConverter(Mode.class, new Conversion<>(CommandModel::parseMode));
    commandLine.registerConverter(Duration.class, new SecondsConverter());
    commandLine.registerConverter(ContentHash.class, new Conversion<>(CommandModel::parseHash));
    commandLine.registerConverter(
        SandboxChoice.class, new Conversion<>(CommandModel::parseSandbox));
    Conversion<Integer> ints = new Conversion<>(text -> (int) parseNumber(text, Integer.MAX_VALUE));
    Conversion<Long> longs = new Conversion<>(text -> parseNumber(text, Long.MAX_VALUE));
    Conversion<Double> decimals = new Conversion<>(CommandModel::parseDecimal);
    commandLine.registerConverter(int.class, ints);
    commandLine.registerConverter(Integer.class, ints);
    commandLine.registerConverter(long.class, longs);
    commandLine.registerConverter(Long.class, longs);
    commandLine.registerConverter(double.class, decimals);
    commandLine.registerConverter(Double.class, decimals);
    commandLine.setUsageHelpWidth(100);
    commandLine.setColorScheme(CommandLine.Help.defaultColorScheme(
        terminal.color() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    commandLine.setParameterExceptionHandler(new WrongUsage(terminal));
    commandLine.setExecutionExceptionHandler(new Failure(terminal));
    return commandLine;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a list cannot name each class with its own type
  private static void register(CommandLine commandLine, Class<? extends Enum<?>> type) {
    commandLine.registerConverter((Class) type, new Choice(type));
  }

  private static long parseNumber(String text, long max) {
    try {
      long number = Long.parseLong(text);
      if (number <= max && number >= -max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below, like a number that is too large
    }
    throw new TypeConversionException(
        "expected a whole number up to %d, found \"%s\"".formatted(max, Style.plain(text)));
  }

  private static double parseDecimal(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "expected a number, found \"%s\"".formatted(Style.plain(text)));
    }
  }

  /** Reports arguments that the command does not take; a class for the reason of Conversion. */
  private record WrongUsage(Terminal terminal) implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] args) {
      CommandLine command = e.getCommandLine();
      String message = e instanceof UnmatchedArgumentException unmatched
          ? Unmatched.message(command, unmatched.getUnmatched())
          : String.valueOf(e.getMessage())
              .replaceFirst("^Invalid value for option '([^']+)'( \\([^)]*\\))?: ", "$1: ")
              .replaceFirst("^Invalid value for positional parameter [^(]*\\(([^)]*)\\): ", "$1: ")
              .replaceFirst("^Missing", "missing")
              .concat(e instanceof MissingParameterException missing ? values(missing) : "");
      return CommandFailure.wrongUsage(message, command.getCommandSpec().qualifiedName(), terminal);
    }
  }

  /** The values of the option that is missing, if it has few; the first, if several are missing. */
  private static String values(MissingParameterException e) {
    Iterable<String> candidates = e.getMissing().get(0).completionCandidates();
    return candidates == null ? "" : "; expected one of " + String.join(", ", candidates);
  }

  /** Reports an exception of a command; a class for the reason of Conversion. */
  private record Failure(Terminal terminal) implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(
        Exception e, CommandLine command, CommandLine.ParseResult parsed) {
      return CommandFailure.report(e, command.getCommandSpec().qualifiedName(), terminal);
    }
  }

  /** Creates commands, with the terminal for those that read or write. */
  private static final class Factory implements CommandLine.IFactory {

    private final Terminal terminal;

    Factory(Terminal terminal) {
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
}
