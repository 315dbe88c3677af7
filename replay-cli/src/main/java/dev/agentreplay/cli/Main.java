package dev.agentreplay.cli;

import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Output;
import dev.agentreplay.cli.text.Terminal;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The entry point of the command. */
public final class Main {

  private Main() {}

  /** Runs the command, and exits with its code. */
  public static void main(String[] args) {
    // reports read the same everywhere; the locale of the process remains a circumstance
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    Locale.setDefault(Locale.Category.DISPLAY, Locale.ROOT);
    // recorded values are UTF-8, independent of the encoding of the platform
    Output output = new Output(new FileOutputStream(FileDescriptor.out));
    PrintStream out = new PrintStream(output, false, StandardCharsets.UTF_8);
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    // Java knows only the console as a whole; the launcher knows each stream
    String shown = System.getProperty("replay.terminal");
    String progressing = System.getProperty("replay.progress");
    boolean color = isColored(shown, System.getenv());
    boolean isTerminal = isTerminal(shown);
    boolean progress = progressing == null ? color : Boolean.parseBoolean(progressing);
    boolean input = isTerminal(System.getProperty("replay.input"));
    int columns = Terminal.columns(System.getenv("COLUMNS"));
    Terminal terminal =
        new Terminal(System.in, out, err, color, isTerminal, progress, columns, input && progress);
    int code = run(args, terminal);
    out.flush();
    IOException failure = output.failure();
    if (failure != null) {
      boolean closed = String.valueOf(failure.getMessage()).contains("Broken pipe");
      if (!closed) {
        terminal.complain("cannot write the output: " + Failures.describe(failure));
      }
      code = closed ? ExitCode.CLOSED_PIPE : ExitCode.INTERNAL;
    }
    System.exit(code);
  }

  /**
   * Whether the output is colored, by the rules of no-color.org and bixense.com/clicolors. Where
   * the launcher does not say what the output is, as on Windows, picocli decides.
   *
   * @param terminal whether the output is a terminal, as the launcher says; null if it does not
   */
  static boolean isColored(@Nullable String terminal, Map<String, String> environment) {
    if (terminal == null || System.getProperty("picocli.ansi") != null) {
      return CommandLine.Help.Ansi.AUTO.enabled();
    }
    boolean isForced = !environment.getOrDefault("CLICOLOR_FORCE", "0").equals("0");
    boolean isWanted = Boolean.parseBoolean(terminal)
        && !environment.getOrDefault("CLICOLOR", "1").equals("0");
    return !environment.containsKey("NO_COLOR") && (isForced || isWanted);
  }

  /** Whether a stream is a terminal, as the launcher says; without it, whether there is one. */
  private static boolean isTerminal(@Nullable String said) {
    return said == null ? hasConsole() : Boolean.parseBoolean(said);
  }

  /** Whether input and output are a terminal; since Java 22 a console may exist without one. */
  @SuppressWarnings("SystemConsoleNull") // null without a terminal before Java 22
  private static boolean hasConsole() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
    } catch (NoSuchMethodException beforeJava22) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** Runs the command, and returns its exit code. */
  public static int run(String[] args, Terminal terminal) {
    if (args.length == 1 && ReplayCommand.VERSION_OPTIONS.contains(args[0])) {
      terminal.out().println(ReplayCommand.versionText()); // without the models of all commands
      return ExitCode.OK;
    }
    TerminalCommand command =
        OperandCommands.find(terminal, System.getenv(SessionInput.HOME), args);
    try {
      return command != null
          ? call(command, args[0], terminal)
          : CommandModel.create(terminal, args).execute(args);
    } catch (OutOfMemoryError | StackOverflowError e) {
      terminal.complain(Failures.describe(e));
      return ExitCode.UNREADABLE;
    } finally {
      terminal.out().flush();
      terminal.err().flush();
    }
  }

  static int call(TerminalCommand command, String name, Terminal terminal) {
    try {
      return command.call();
    } catch (Exception e) {
      return CommandFailure.report(e, "replay " + name, terminal);
    }
  }
}
