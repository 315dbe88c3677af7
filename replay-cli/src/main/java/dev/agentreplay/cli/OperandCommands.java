package dev.agentreplay.cli;

import dev.agentreplay.cli.input.SessionInput;
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

  /**
   * The command that the arguments name, ready to run; null if they need the model.
   *
   * @param home the value of {@link SessionInput#HOME}, the default of an option, which the model
   *     reads; null if it is not set
   */
  static @Nullable TerminalCommand find(Terminal terminal, @Nullable String home, String... args) {
    if (home != null
        || args.length < 2
        || !Arrays.stream(args).allMatch(OperandCommands::isOperand)) {
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
