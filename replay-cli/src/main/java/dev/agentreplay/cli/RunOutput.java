package dev.agentreplay.cli;

import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.ReportForm;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayListener;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.engine.report.MarkdownReport;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
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

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the recording and the replay as a self-contained HTML page.")
  private @Nullable Path html;

  @Option(
      names = "--overwrite",
      description = "Replace existing files of --export-report and --html.")
  private boolean overwrite;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  private @Nullable Exception pageFailure;

  boolean isText() {
    return form.format() == ReportForm.Format.TEXT;
  }

  /** The options of a text that fits the terminal. */
  TextOptions text(Terminal terminal, int maxDivergences) {
    return form.text(terminal, false, maxDivergences);
  }

  /** Refuses options that do not go together. */
  void check() {
    if (overwrite && export == null && html == null) {
      throw wrong("--overwrite requires --export-report or --html");
    }
    if (html != null && html.equals(export)) {
      throw wrong("--export-report and --html name the same file");
    }
    requireNew("--export-report", export);
    requireNew("--html", html);
  }

  private void requireNew(String option, @Nullable Path file) {
    if (file != null && Files.exists(file) && !overwrite) {
      throw wrong("%s: %s exists; --overwrite replaces it".formatted(option, file));
    }
  }

  /** Refuses to write to a file that the command reads. */
  void check(SessionInput input) throws IOException {
    if (export != null) {
      input.requireOutput(export);
    }
    if (html != null) {
      input.requireOutput(html);
    }
  }

  /** Adds a listener that writes the page before a temporary session of the replay is deleted. */
  void addTo(Replay replay, Session recording) {
    Path file = html;
    if (file != null) {
      replay.listener(new ReplayListener() {
        @Override
        public void ended(ReplayReport report, @Nullable Session compared) {
          try (WholeFile page = overwrite ? WholeFile.replacing(file) : WholeFile.creating(file)) {
            HtmlViewer.render(report, recording, compared, page.out());
            page.commit();
          } catch (IOException | RuntimeException e) {
            pageFailure = e; // thrown after the report was printed
          }
        }
      });
    }
  }

  /**
   * Writes the report.
   *
   * @throws IOException if it, or the page, cannot be written
   */
  void write(ReplayReport report, TextOptions text, Terminal terminal) throws IOException {
    if (export != null) {
      byte[] json = (RunJson.render(report) + "\n").getBytes(StandardCharsets.UTF_8);
      if (overwrite) {
        WholeFile.replace(export, json);
      } else {
        WholeFile.create(export, json);
      }
    }
    if (html != null && pageFailure == null) {
      OutFile.tell(html, terminal);
    }
    switch (form.format()) {
      case TEXT -> terminal.out().print(TextReport.render(report, text));
      case JSON -> terminal.json().print(RunJson.render(report) + "\n");
      case MARKDOWN -> terminal.out().print(MarkdownReport.render(report));
      case JUNIT -> terminal.out().print(JUnitReport.render(report, failOn));
    }
    terminal.out().flush();
    if (pageFailure instanceof IOException e) {
      throw e;
    } else if (pageFailure instanceof RuntimeException e) {
      throw e;
    }
  }

  int exitCode(ReplayReport report) {
    boolean isComplete = report.incomplete().isEmpty() && report.failure() == null;
    int accepted = isComplete ? ExitCode.OK : ExitCode.INCOMPLETE;
    return switch (report.verdict()) {
      case IDENTICAL -> ExitCode.OK;
      case DIVERGED -> fails(report) ? ExitCode.FINDINGS : accepted;
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
