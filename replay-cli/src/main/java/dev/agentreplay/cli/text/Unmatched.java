package dev.agentreplay.cli.text;

import dev.agentreplay.model.text.NearestName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The message for a command, option or argument that does not exist, with the nearest name. */
public final class Unmatched {

  private Unmatched() {}

  /** The message for words that a command does not take. */
  public static String message(CommandLine command, List<String> unmatched) {
    String word = unmatched.get(0);
    if (word.startsWith("-") && word.length() > 1) {
      List<String> options = new ArrayList<>();
      for (OptionSpec option : command.getCommandSpec().options()) {
        options.addAll(Arrays.asList(option.names()));
      }
      return "unknown option '%s'%s"
          .formatted(word, NearestName.suggestion(word.split("=", 2)[0], options));
    }
    boolean isCommand = command.getParent() == null;
    return isCommand
        ? "unknown command '%s'%s"
            .formatted(
                word, NearestName.suggestion(word, command.getSubcommands().keySet()))
        : "unexpected argument '%s'".formatted(word);
  }
}
