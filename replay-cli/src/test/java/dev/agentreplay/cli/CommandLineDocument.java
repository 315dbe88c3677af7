package dev.agentreplay.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Renders the reference of the command line, docs/cli.md, from picocli's model. */
final class CommandLineDocument {

  private static final String HEAD =
      """
      # Command line

      The reference of the command `replay`; `replay help COMMAND` prints the same. Run `./replay` in a checkout, which
      builds it on first use, or `java -jar replay.jar`. `replay.cmd` does the same on Windows. A copy of the script `replay`
      next to `replay.jar` runs that file.

      At the first start with a Java, the script archives the classes of typical commands (class-data sharing, an ahead-of-time cache
      since Java 25), which takes some seconds and 35 MB, next to `replay-cli/target/replay.jar` or in
      `${XDG_CACHE_HOME:-~/.cache}/agent-replay`; other starts take two thirds of the time. `REPLAY_ARCHIVE=no` prevents it.

      A `SESSION` is a session directory, a log (`REPLAY.jsonl`, plain or gzip), or a packed session, which is recognized by
      its content; or, anywhere below `--sessions DIR` or `$REPLAY_HOME`, the name of a session's directory or the
      `session_id` in the first 64 lines of its log. If several sessions have it, that is an error that names them. A packed
      session is not found by its `session_id`, and below `--sessions` only by its path from there.

      A `RECORD` is a session record: its file, a directory with `record.json`, or, in the store `--store DIR` or
      `$REPLAY_HOME`, its id or the id of its session ([guide](how-to/replay-a-session-record.md)).

      A packed session is read within the limits of `replay unpack`: its files are unpacked into a directory
      `agentreplay-*` in the temporary directory of Java (`REPLAY_JAVA_OPTS=-Djava.io.tmpdir=DIR`), which only its owner
      can access and which is deleted when the command ends, also by Ctrl+C, or by a later one if it is killed. Reports and messages name the packed file, as in
      `fix-auth.tar.gz/REPLAY.jsonl`. `sign` and `recover --repair` write to a session and refuse a packed one: `replay
      unpack` it first.

      No command replaces a log, packed session, bundle, checkpoint or private key that it reads with its output, also with
      `--overwrite`; the exit code is 2. Only `convert` into the directory of the session itself replaces its log.

      Reports go to standard output, progress and errors to standard error. With `--format json` a report is one line of
      JSON with a `schema` member (see [Reports](reports.md)); `show` prints the lines of the log, and `verify` of several
      sessions one line for each and a summary.

      Tab completion of commands, options, their values and file names: `source <(replay completion bash)`, or `zsh`.

      """;

  private final StringBuilder out = new StringBuilder(HEAD);

  private CommandLineDocument() {}

  static String render(CommandLine replay) {
    CommandLineDocument document = new CommandLineDocument();
    document.commands(replay);
    document.exitCodes(replay.getCommandSpec().usageMessage(), "Exit codes of all commands:");
    replay.getSubcommands().values().forEach(document::command);
    return document.out.toString().stripTrailing() + "\n";
  }

  private void commands(CommandLine parent) {
    out.append("| command | purpose |\n|---|---|\n");
    parent
        .getSubcommands()
        .forEach((name, command) -> out.append("| [`%s`](#%s) | %s |\n"
            .formatted(
                name,
                command.getCommandSpec().qualifiedName("-"),
                String.join(" ", command.getCommandSpec().usageMessage().header()))));
    out.append('\n');
  }

  private void command(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    UsageMessageSpec usage = spec.usageMessage();
    out.append("## %s\n\n".formatted(spec.qualifiedName()));
    out.append(String.join(" ", usage.header())).append("\n\n");
    out.append("```sh\n").append(command.getHelp().synopsis(0).strip()).append("\n```\n\n");
    if (usage.description().length > 0) {
      out.append(String.join("\n", usage.description()).strip().replace("*", "\\*"))
          .append("\n\n");
    }
    List<String> rows = new ArrayList<>();
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      rows.add(row(parameter.paramLabel(), parameter));
    }
    spec.options().stream()
        .sorted((a, b) -> a.longestName().compareTo(b.longestName()))
        .forEach(option -> rows.add(row(names(option), option)));
    if (!command.getSubcommands().isEmpty()) {
      commands(command);
      command.getSubcommands().values().forEach(this::command);
      return;
    }
    out.append("| argument or option | meaning |\n|---|---|\n");
    rows.forEach(out::append);
    out.append('\n');
    exitCodes(usage, "Exit codes:");
    out.append("```sh\n");
    for (String example : usage.footer()) {
      out.append(example.strip()).append('\n');
    }
    out.append("```\n\n");
  }

  private void exitCodes(UsageMessageSpec usage, String heading) {
    out.append(heading).append("\n\n");
    for (Map.Entry<String, String> code : usage.exitCodeList().entrySet()) {
      out.append("- %s: %s\n".formatted(code.getKey(), code.getValue()));
    }
    out.append('\n');
  }

  private static String names(OptionSpec option) {
    String names = String.join("`, `", option.names());
    return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
  }

  private static String row(String name, ArgSpec argument) {
    String candidates = argument.completionCandidates() == null
        ? ""
        : String.join(", ", argument.completionCandidates());
    String text = String.join(" ", argument.description())
        .replace("${COMPLETION-CANDIDATES}", candidates)
        .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValue()))
        .replace("%%", "%")
        .lines()
        .map(String::strip)
        .collect(Collectors.joining(" "));
    return "| `%s` | %s |\n".formatted(name.replace("|", "\\|"), text.replace("*", "\\*"));
  }
}
