package dev.agentreplay.cli;

import dev.agentreplay.cli.input.InvalidInputException;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileAlreadyExistsException;

/** Reports the failures of commands to the user. */
final class CommandFailure {

  private CommandFailure() {}

  /**
   * Reports an exception of a command, and returns its exit code.
   *
   * @param command the qualified name of the command, such as {@code replay session record}
   */
  static int report(Exception e, String command, Terminal terminal) {
    if (e instanceof UsageException usage) {
      return wrongUsage(String.valueOf(usage.getMessage()), command, terminal);
    }
    Exception cause = e instanceof UncheckedIOException unchecked ? unchecked.getCause() : e;
    if (cause instanceof IOException io) {
      terminal.complain(Failures.describe(io));
      if (io instanceof InvalidInputException invalid) {
        invalid
            .problems()
            .forEach(problem -> terminal.err().println("  " + Style.plain("" + problem)));
      }
      return io instanceof FileAlreadyExistsException ? ExitCode.USAGE : ExitCode.UNREADABLE;
    }
    if (cause instanceof ClosedFileSystemException && isShuttingDown()) {
      // the exit hooks close packed sessions
      terminal.complain("interrupted");
      return ExitCode.INTERRUPTED;
    }
    terminal.complain("internal error; please report it with the lines below");
    e.printStackTrace(terminal.err());
    return ExitCode.INTERNAL;
  }

  /**
   * Reports wrong usage of a command, and returns its exit code.
   *
   * @param command the qualified name of the command, such as {@code replay session record}
   */
  static int wrongUsage(String message, String command, Terminal terminal) {
    terminal.complain(message);
    terminal.err().println("Try '" + command + " --help'.");
    return ExitCode.USAGE;
  }

  /** Whether the JVM is shutting down, as after Ctrl+C: then it takes no more hooks. */
  private static boolean isShuttingDown() {
    Thread hook = new Thread(() -> {}, "replay-probe");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException shuttingDown) {
      return true;
    }
  }
}
