package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent commands without options. They run without the {@link CommandModel}, whose
 * classes take longer to load than a small session takes to verify.
 */
final class OperandCommands {

  private OperandCommands() {}

  /** The command that the arguments name, ready to run; null if they need the model. */
  static @Nullable TerminalCommand find(Terminal terminal, String... args) {
    // the default of an option that is given by the environment is read by the model
    return System.getenv("REPLAY_HOME") == null ? create(terminal, args) : null;
  }

  static @Nullable TerminalCommand create(Terminal terminal, String... args) {
    if (args.length < 2 || !Arrays.stream(args).allMatch(OperandCommands::isOperand)) {
      return null;
    }
    List<String> operands = List.of(args).subList(1, args.length);
    switch (args[0]) {
      case "verify" -> {
        VerifyCommand verify = new VerifyCommand(terminal);
        verify.sessions = operands;
        return verify;
      }
      case "stats" -> {
        StatsCommand stats = new StatsCommand(terminal);
        stats.names = operands;
        return stats;
      }
      case "show" -> {
        ShowCommand show = new ShowCommand(terminal);
        show.session = operands.get(0);
        return operands.size() == 1 ? show : null;
      }
      case "diff" -> {
        DiffCommand diff = new DiffCommand(terminal);
        diff.left = operands.get(0);
        diff.right = operands.subList(1, operands.size());
        return operands.size() >= 2 ? diff : null;
      }
      default -> {
        return null;
      }
    }
  }

  /** Whether an argument is neither an option nor the name of a file with arguments. */
  private static boolean isOperand(String argument) {
    return !argument.isEmpty() && "-@".indexOf(argument.charAt(0)) < 0;
  }
}
