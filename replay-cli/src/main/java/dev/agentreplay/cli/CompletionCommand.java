package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay completion}. */
@Command(
    name = "completion",
    header = "Print the completion script for bash or zsh.",
    description = {
      "Completes commands, options and their values with the tab key. Load it in the startup file of",
      "the shell: ~/.bashrc or ~/.zshrc."
    },
    exitCodeList = {"0:Done.", "2:Wrong usage."},
    footer = {"  source <(replay completion bash)", "  source <(replay completion zsh)"})
final class CompletionCommand extends TerminalCommand {

  /** The shells with a completion script. */
  enum Shell {
    BASH,
    ZSH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  Shell shell = Shell.BASH;

  CompletionCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() {
    // one script for both: in zsh it loads what emulates the completion of bash
    terminal.data().print(AutoComplete.bash("replay", spec.root().commandLine()));
    return ExitCode.OK;
  }
}
