package dev.agentreplay.cli;

import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.ReportForm;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.engine.report.MarkdownReport;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.file.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The report of a replay on standard output and in a file, and its exit code. */
final class RunOutput {

  @Mixin
  private ReportForm form = new ReportForm();

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      defaultValue = "minor",
      completionCandidates = Candidates.Severities.class,
      description = "Lowest severity that makes the exit code 1: ${COMPLETION-CANDIDATES}"
          + " (default: ${DEFAULT-VALUE}).")
  private DivergenceSeverity failOn = DivergenceSeverity.MINOR;

  @Option(
      names = "--export-report",
      paramLabel = "FILE",
      description = "Also write the report as JSON.")
  private @Nullable Path export;

  @Option(names = "--overwrite", description = "Replace an existing file of --export-report.")
  private boolean overwrite;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  boolean isText() {
    return form.format() == ReportForm.Format.TEXT;
  }

  /** The options of a text that fits the terminal. */
  TextOptions text(Terminal terminal, int maxDivergences) {
    return form.text(terminal, false, maxDivergences);
  }

  /** Refuses options that do not go together. */
  void check() {
    if (overwrite && export == null) {
      throw wrong("--overwrite requires --export-report");
    }
    if (export != null && Files.exists(export) && !overwrite) {
      throw wrong("--export-report: %s exists; --overwrite replaces it".formatted(export));
    }
  }

  /** Refuses to write to a file that the command reads. */
  void check(SessionInput input) throws IOException {
    if (export != null) {
      input.requireOutput(export);
    }
  }

  /** Writes the report. */
  void write(ReplayReport report, TextOptions text, Terminal terminal) throws IOException {
    if (export != null) {
      byte[] json = (RunJson.render(report) + "\n").getBytes(StandardCharsets.UTF_8);
      if (overwrite) {
        WholeFile.replace(export, json);
      } else {
        WholeFile.create(export, json);
      }
    }
    switch (form.format()) {
      case TEXT -> terminal.out().print(TextReport.render(report, text));
      case JSON -> terminal.json().print(RunJson.render(report) + "\n");
      case MARKDOWN -> terminal.out().print(MarkdownReport.render(report));
      case JUNIT -> terminal.out().print(JUnitReport.render(report, failOn));
    }
    terminal.out().flush();
  }

  int exitCode(ReplayReport report) {
    return switch (report.verdict()) {
      case IDENTICAL -> report.failure() == null ? ExitCode.OK : ExitCode.INCOMPLETE;
      case DIVERGED -> fails(report) ? ExitCode.FINDINGS : ExitCode.OK;
      case INCOMPLETE, UNVERIFIED -> ExitCode.INCOMPLETE;
    };
  }

  /** Whether a divergence is as severe as requested, or may be, because it is not listed. */
  private boolean fails(ReplayReport report) {
    List<ReplayDivergence> listed = report.divergences();
    return listed.isEmpty() // the recording is not valid
        || listed.size() < report.divergenceCount()
        || listed.stream().anyMatch(divergence -> divergence.severity().compareTo(failOn) >= 0);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
