package dev.agentreplay.cli;

import dev.agentreplay.cli.input.OpenOption;
import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.ReportForm;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.output.OutDirectory;
import dev.agentreplay.cli.repeat.RepeatedRun;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayListener;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.engine.report.MarkdownReport;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The report of a replay on standard output and in a file, and its exit code. */
final class RunOutput {

  @Mixin
  private ReportForm form = new ReportForm();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "New or empty directory for the session of the replay and its ledger.")
  private @Nullable Path out;

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

  @Mixin
  private OpenOption opener = new OpenOption();

  @Option(
      names = "--overwrite",
      description =
          "Replace existing files of --export-report and --html, and in --out the session of"
              + " an earlier replay.")
  private boolean overwrite;

  private @Nullable Exception pageFailure;

  /** The form of the report. */
  ReportForm.Format format() {
    return form.format();
  }

  /** Whether existing files are replaced. */
  boolean overwrites() {
    return overwrite;
  }

  /** The output of replays that are repeated. */
  RepeatedRun repeated() {
    return new RepeatedRun(out, export, html, form.format() == ReportForm.Format.JSON);
  }

  /** Opens the page, if it was written and is to be opened. */
  void openPage(Terminal terminal) throws IOException {
    if (html != null && Files.exists(html)) {
      OutFile.tell(html, terminal);
      opener.open(html, terminal);
    }
  }

  boolean isText() {
    return form.format() == ReportForm.Format.TEXT;
  }

  /** The options of a text that fits the terminal. */
  TextOptions text(Terminal terminal, int maxDivergences) {
    return form.text(terminal, false, maxDivergences);
  }

  /** Refuses options that do not go together, and places that cannot be written. */
  void check(ReplayMode mode) throws IOException {
    if (out != null && mode == ReplayMode.VALIDATION) {
      throw new UsageException("--out: a replay in the mode validation records nothing");
    }
    if (overwrite && out == null && export == null && html == null) {
      throw new UsageException("--overwrite requires --out, --export-report or --html");
    }
    opener.check(html);
    if (html != null && html.equals(export)) {
      throw new UsageException("--export-report and --html name the same file");
    }
    requireNew("--export-report", export);
    requireNew("--html", html);
    String fault = out == null ? null : OutDirectory.fault(out, overwrite, outputs(out));
    if (fault != null) {
      throw new UsageException("--out: " + fault);
    }
  }

  /** The names of the files in a directory that the command replaces. */
  private Set<String> outputs(Path directory) {
    return Stream.of(export, html)
        .filter(Objects::nonNull)
        .map(file -> file.toAbsolutePath().normalize())
        .filter(file -> directory.toAbsolutePath().normalize().equals(file.getParent()))
        .map(file -> String.valueOf(file.getFileName()))
        .collect(Collectors.toSet());
  }

  private void requireNew(String option, @Nullable Path file) throws IOException {
    if (file == null) {
      return;
    }
    if (Files.exists(file) && !overwrite) {
      throw new UsageException("%s: %s exists; --overwrite replaces it".formatted(option, file));
    }
    Path parent = file.toAbsolutePath().normalize().getParent();
    boolean isOut = out != null && out.toAbsolutePath().normalize().equals(parent);
    if (parent != null && !isOut && !Files.isDirectory(parent)) {
      throw new NoSuchFileException(
          file.toString(), null, option + ": there is no directory " + parent);
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
    if (out != null && !FileTree.isNewOrEmpty(out)) {
      input.requireOutside(out);
    }
  }

  /** A replay that is about to run. */
  @FunctionalInterface
  interface Run {

    /** Runs it. */
    ReplayReport run() throws IOException;
  }

  /** Runs a replay, which records its session in the directory of {@code --out}. */
  @SuppressWarnings("try") // the directory is open, not used
  ReplayReport run(Run replay) throws IOException {
    if (out == null) {
      return replay.run();
    }
    try (OutDirectory directory = OutDirectory.open(out, overwrite, outputs(out))) {
      return replay.run();
    } catch (FileAlreadyExistsException | LogLockedException e) {
      throw new UsageException(
          "--out: a different program has written to %s; expected a new or empty directory"
              .formatted(out));
    }
  }

  /** Writes the refusal of a replay as JSON or JUnit XML, if one of them is requested. */
  void refuse(String recording, ReplayMode mode, ReplayRefusedException refusal, Terminal terminal)
      throws IOException {
    String json = RunJson.refused(recording, mode, refusal) + "\n";
    export(json);
    switch (form.format()) {
      case JSON -> terminal.json().print(json);
      case JUNIT -> terminal.out().print(JUnitReport.refused(recording, refusal));
      case TEXT, MARKDOWN -> {
        // the message on standard error has it all
      }
    }
    terminal.out().flush();
  }

  /**
   * Sets the directory, and adds a listener that writes the page before a temporary session of the
   * replay is deleted.
   */
  void addTo(Replay replay, Session recording) {
    replay.directory(out);
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
    export(RunJson.render(report) + "\n");
    if (html != null && pageFailure == null) {
      OutFile.tell(html, terminal);
      opener.open(html, terminal);
    }
    switch (form.format()) {
      case TEXT -> terminal.out().print(TextReport.render(report, text));
      case JSON -> terminal.json().print(RunJson.render(report) + "\n");
      case MARKDOWN -> terminal.out().print(MarkdownReport.render(report));
      case JUNIT -> terminal.out().print(JUnitReport.render(report));
    }
    terminal.out().flush();
    if (pageFailure instanceof IOException e) {
      throw e;
    } else if (pageFailure instanceof RuntimeException e) {
      throw e;
    }
  }

  private void export(String json) throws IOException {
    if (export == null) {
      return;
    }
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    if (overwrite) {
      WholeFile.replace(export, bytes);
    } else {
      WholeFile.create(export, bytes);
    }
  }

  int exitCode(ReplayReport report) {
    if (report.passes()) {
      return ExitCode.OK;
    }
    return report.isInconclusive() ? ExitCode.INCOMPLETE : ExitCode.FINDINGS;
  }
}
