package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay completion}. */
@Command(
    name = "completion",
    header = "Print the completion script for bash or zsh.",
    description = {
      "Completes commands, options, their values and file names with the tab key. Load it in the",
      "startup file of the shell: ~/.bashrc or ~/.zshrc."
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

  /** Completes file names; picocli does so only for some types, and without their quotes. */
  private static final String FILES =
      """
          local IFS=$'\\n'
          type compopt &>/dev/null && compopt -o filenames
          COMPREPLY=( $( compgen -f -- "${curr_word}" ) ) # files
      """;

  /** The line that names the function that completes. */
  private static final Pattern COMPLETE = Pattern.compile("(?m)^(complete -F )_complete_replay\\b");

  /** The words among which a subcommand is looked for; the first is the name of the command. */
  private static final Pattern WORDS =
      Pattern.compile("(function ElementNotInCompWords\\(\\) \\{\n(?:  .*\n){0,3}?  for element in"
          + " \"\\$\\{COMP_WORDS\\[@\\])\\}");

  /** Separates an option from its value, as the functions of picocli expect it. */
  private static final String JOINED =
      """
      # Completes --option=VALUE too: bash makes three words of it, zsh one.
      function _complete_joined_replay() {
        local word=${COMP_WORDS[COMP_CWORD]}
        local joined=""
        if [[ "${word}" == "=" ]]; then
          COMP_WORDS[COMP_CWORD]=""
        elif [[ "${COMP_WORDS[COMP_CWORD-1]}" == "=" ]]; then
          COMP_WORDS=("${COMP_WORDS[@]:0:COMP_CWORD-1}" "${word}")
          ((COMP_CWORD-=1))
        elif [[ "${word}" == --*=* ]]; then
          joined="${word%%=*}="
          COMP_WORDS=("${COMP_WORDS[@]:0:COMP_CWORD}" "${word%%=*}" "${word#*=}")
          ((COMP_CWORD+=1))
        fi
        _complete_replay
        COMPREPLY=("${COMPREPLY[@]/#/${joined}}")
      }

      """;

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
    terminal.data().print(script(spec.root().commandLine()));
    return ExitCode.OK;
  }

  /** The script of picocli, which also completes file names and {@code --option=VALUE}. */
  static String script(CommandLine root) {
    String script = completeFiles(AutoComplete.bash("replay", root), "", root);
    script = replace(script, WORDS, "$1:1}");
    return replace(
        script, COMPLETE, Matcher.quoteReplacement(JOINED) + "$1_complete_joined_replay");
  }

  /** A script that completes file names after the subcommands of a command, at all levels. */
  private static String completeFiles(String script, String prefix, CommandLine command) {
    String changed = script;
    for (Map.Entry<String, CommandLine> entry : command.getSubcommands().entrySet()) {
      CommandLine subcommand = entry.getValue();
      String name = prefix + entry.getKey().replace("-", ""); // as picocli names functions
      if (subcommand.getCommandSpec().positionalParameters().stream()
          .anyMatch(CompletionCommand::isFile)) {
        changed = replace(changed, positionals(name), "$1" + Matcher.quoteReplacement(FILES));
      }
      changed = completeFiles(changed, name + "_", subcommand);
    }
    return changed;
  }

  private static boolean isFile(PositionalParamSpec parameter) {
    return parameter.completionCandidates() == null && !parameter.type().isEnum();
  }

  /** The function of a subcommand up to its branch for positional parameters, and that branch. */
  private static Pattern positionals(String command) {
    String start = Pattern.quote("\nfunction _picocli_replay_" + command + "() {\n");
    return Pattern.compile(
        "(" + start + "(?:[^}].*\n|\n)*? {2}else\n) {4}local positionals=\"\"\n(?: {4}.*\n)+");
  }

  private static String replace(String script, Pattern expected, String replacement) {
    Matcher matcher = expected.matcher(script);
    if (!matcher.find()) {
      throw new IllegalStateException("the script of picocli has changed: no " + expected);
    }
    return matcher.replaceFirst(replacement);
  }
}
