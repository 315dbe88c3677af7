package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.lint.DeterminismReport;
import dev.agentreplay.lint.DeterminismScan;
import dev.agentreplay.lint.LintText;
import dev.agentreplay.lint.ScanProblem;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.Suppression;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay lint}. */
@Command(
    name = "lint",
    header = "Find nondeterministic calls in the classes of agents.",
    description = {
      "Reads class files, and runs nothing. Reports each call of a clock, random numbers, ids, the",
      "environment, threads, files or the network, and each iteration without an order, that an agent",
      "reaches without its context; the bodies of tools and models are left out. Entry points are the",
      "methods of each ReplayAgent, and those that take an AgentScope, a DeterministicContext or a",
      "recorder. docs/lint-patterns.md lists what is reported, and the syntax of both files."
    },
    exitCodeList = {
      "0:Nothing was found.",
      "1:Nondeterministic calls were found.",
      "2:Wrong usage, or no entry point was found.",
      "3:Unreadable input: a jar, a class file, or a file of patterns or suppressions."
    },
    footer = {
      "  replay lint target/classes",
      "  replay lint agent.jar --entry com.acme.Agent.run --suppress lint.suppressions",
      "  replay lint target/classes --classpath \"lib/a.jar:lib/b.jar\" --format json"
    })
final class LintCommand extends TerminalCommand {

  @Parameters(
      arity = "1..*",
      paramLabel = "JAR|DIR",
      description = "Jars and directories of class files to scan.")
  List<Path> inputs = List.of();

  @Option(
      names = "--entry",
      paramLabel = "PATTERN",
      description = "Methods at which an agent begins, such as com.acme.Agent.run, instead of the"
          + " default ones. Repeatable.")
  List<String> entries = List.of();

  @Option(
      names = "--patterns",
      paramLabel = "FILE",
      description = "File of patterns that win over those of the library. Repeatable.")
  List<Path> patterns = List.of();

  @Option(
      names = "--suppress",
      paramLabel = "FILE",
      description = "File of suppressions, each with its reason. Repeatable.")
  List<Path> suppressions = List.of();

  @Option(
      names = "--classpath",
      paramLabel = "PATHS",
      description = "Jars and directories with further supertypes, whose code is not followed,"
          + " separated as in a class path. Repeatable.")
  List<String> classPath = List.of();

  @Mixin
  FormatOption format = new FormatOption();

  LintCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    DeterminismReport report = scan().check();
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(LintText.render(report));
    }
    if (report.problems().stream().anyMatch(ScanProblem::isUnreadable)) {
      return ExitCode.UNREADABLE;
    }
    if (!report.unmatchedEntries().isEmpty()) {
      complain("--entry: no scanned method matches "
          + Style.plain(String.join(", ", report.unmatchedEntries())));
      return ExitCode.USAGE;
    }
    if (report.entryPoints() == 0) {
      complain("no entry point was found: name the methods at which the agent begins with --entry");
      return ExitCode.USAGE;
    }
    return report.findings().isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private DeterminismScan scan() throws IOException {
    LintPatterns all = LintPatterns.defaults();
    for (Path file : patterns) {
      all = all.plus(file);
    }
    List<Suppression> suppressed = new ArrayList<>();
    for (Path file : suppressions) {
      suppressed.addAll(Suppression.read(file));
    }
    List<Path> supertypes = new ArrayList<>();
    for (String paths : classPath) {
      for (String path : paths.split(Pattern.quote(File.pathSeparator), -1)) {
        if (!path.isEmpty()) {
          supertypes.add(Path.of(path));
        }
      }
    }
    DeterminismScan scan = DeterminismScan.of(inputs)
        .withPatterns(all)
        .withSuppressions(suppressed)
        .withClassPath(supertypes);
    try {
      return scan.withEntries(entries.toArray(String[]::new));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--entry: " + e.getMessage(), e);
    }
  }
}
