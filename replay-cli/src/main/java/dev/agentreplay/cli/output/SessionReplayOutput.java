package dev.agentreplay.cli.output;

import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.RecordInput;
import dev.agentreplay.cli.input.RecordInput.OpenRecord;
import dev.agentreplay.cli.input.ReportForm;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.TraceSteps;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.replay.SessionMatrix;
import dev.agentreplay.records.replay.SessionMatrix.Comparison;
import dev.agentreplay.records.replay.SessionReplayRefusedException;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.records.report.SessionReplayJUnit;
import dev.agentreplay.records.report.SessionReplayJson;
import dev.agentreplay.records.report.SessionReplayMarkdown;
import dev.agentreplay.records.report.SessionReplayPage;
import dev.agentreplay.records.report.SessionReplayText;
import dev.agentreplay.records.store.RecordFile;
import dev.agentreplay.records.store.RecordStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The reports on the replay of a session record, on standard output and in files. */
public final class SessionReplayOutput {

  @Mixin
  private ReportForm form = new ReportForm();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "Also write the record of the replay; its texts go to the directory content next"
              + " to it.")
  private @Nullable Path record;

  @Option(
      names = "--export-report",
      paramLabel = "FILE",
      description = "Also write the report as JSON.")
  private @Nullable Path export;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the messages and the report as a self-contained HTML page.")
  private @Nullable Path html;

  @Option(
      names = "--overwrite",
      description = "Replace existing files of --output, --export-report and --html.")
  private boolean overwrite;

  @Option(names = "--save", description = "Add the report to the store that has the record.")
  private boolean save;

  /** Refuses options that do not go together, and places that cannot be written. */
  public void check(RecordInput input, OpenRecord opened, Mode mode, int replays)
      throws IOException {
    if (overwrite && record == null && export == null && html == null) {
      throw new UsageException("--overwrite requires --output, --export-report or --html");
    }
    if (mode == Mode.TRACE && record != null) {
      throw new UsageException("--output: a replay in the mode trace runs nothing");
    }
    if (save && opened.store() == null) {
      throw new UsageException("--save requires a record in a store");
    }
    boolean isJunit = form.format() == ReportForm.Format.JUNIT;
    if (replays > 1 && (record != null || html != null || isJunit)) {
      throw new UsageException("%s requires one roster, found %d"
          .formatted(
              record != null ? "--output" : html != null ? "--html" : "--format junit", replays));
    }
    Set<Path> files = new HashSet<>();
    requireNew("--output", record, input, files);
    requireNew("--export-report", export, input, files);
    requireNew("--html", html, input, files);
  }

  private void requireNew(String option, @Nullable Path file, RecordInput input, Set<Path> files)
      throws IOException {
    if (file == null) {
      return;
    }
    Path path = file.toAbsolutePath().normalize();
    if (!files.add(path)) {
      throw new UsageException("%s: two options name the file %s".formatted(option, file));
    }
    if (Files.exists(file) && !overwrite) {
      throw new UsageException("%s: %s exists; --overwrite replaces it".formatted(option, file));
    }
    input.requireOutput(file);
    if (path.getParent() != null && !Files.isDirectory(path.getParent())) {
      throw new NoSuchFileException(
          file.toString(), null, option + ": there is no directory " + path.getParent());
    }
  }

  /** Writes the messages of a record; on a terminal, a user steps through them. */
  public void trace(SessionReplayResult result, OpenRecord opened, Terminal terminal)
      throws IOException {
    boolean isText = form.format() == ReportForm.Format.TEXT;
    files(result, opened, terminal);
    if (isText && terminal.interactive() && html == null) {
      new TraceSteps(terminal, result, text(terminal)).run();
    } else {
      print(result, terminal);
    }
  }

  /**
   * Writes the report of one replay, or the matrix of several.
   *
   * @param names the names of the sessions in a matrix
   */
  public void write(
      List<SessionReplayResult> results, List<String> names, OpenRecord opened, Terminal terminal)
      throws IOException {
    if (results.size() == 1) {
      SessionReplayResult result = results.get(0);
      print(result, terminal); // before files, which may fail
      files(result, opened, terminal);
      return;
    }
    List<Comparison> compared = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      compared.add(new Comparison(names.get(i), results.get(i)));
    }
    SessionMatrix matrix = SessionMatrix.of(compared);
    switch (form.format()) {
      case TEXT -> terminal.out().print(SessionReplayText.render(matrix, text(terminal)));
      case JSON -> terminal.json().print(SessionReplayJson.render(matrix) + "\n");
      case MARKDOWN -> terminal.out().print(SessionReplayMarkdown.render(matrix));
      case JUNIT -> throw new IllegalStateException("checked before");
    }
    terminal.out().flush();
    export(SessionReplayJson.render(matrix));
    for (SessionReplayResult each : results) {
      save(each, opened, terminal);
    }
  }

  private void print(SessionReplayResult result, Terminal terminal) throws IOException {
    switch (form.format()) {
      case TEXT -> terminal.out().print(SessionReplayText.render(result, text(terminal)));
      case JSON -> terminal.json().print(SessionReplayJson.render(result) + "\n");
      case MARKDOWN -> terminal.out().print(SessionReplayMarkdown.render(result));
      case JUNIT -> terminal.out().print(SessionReplayJUnit.render(result, Severity.MAJOR));
    }
    terminal.out().flush();
  }

  private TextOptions text(Terminal terminal) {
    return form.text(terminal, false, TextOptions.DEFAULT_MAX_DIVERGENCES);
  }

  private void files(SessionReplayResult result, OpenRecord opened, Terminal terminal)
      throws IOException {
    export(SessionReplayJson.render(result));
    SessionRecord replayed = result.replayed();
    if (record != null && replayed != null) {
      RecordFile file = RecordFile.at(record);
      if (overwrite) {
        file.replace(replayed, result.replayedTexts());
      } else {
        file.create(replayed, result.replayedTexts());
      }
      OutFile.tell(record, terminal);
    }
    if (html != null) {
      try (WholeFile page = overwrite ? WholeFile.replacing(html) : WholeFile.creating(html)) {
        SessionReplayPage.render(result, page.out());
        page.commit();
      }
      OutFile.tell(html, terminal);
    }
    save(result, opened, terminal);
  }

  private void export(JsonObject report) throws IOException {
    if (export == null) {
      return;
    }
    byte[] bytes = (report + "\n").getBytes(StandardCharsets.UTF_8);
    if (overwrite) {
      WholeFile.replace(export, bytes);
    } else {
      WholeFile.create(export, bytes);
    }
  }

  private void save(SessionReplayResult result, OpenRecord opened, Terminal terminal)
      throws IOException {
    RecordStore store = opened.store();
    if (save && store != null) {
      OutFile.tell(store.addReport(opened.record().id(), complete(result)), terminal);
    }
  }

  /** The report with the members that a comparison adds. */
  private static RecordReplayReport complete(SessionReplayResult result) {
    return SessionRecords.readReport(SessionReplayJson.render(result));
  }

  /** Writes the refusal of a replay as JSON or JUnit XML, if one of them is requested. */
  public void refuse(
      OpenRecord opened, Mode mode, SessionReplayRefusedException refusal, Terminal terminal)
      throws IOException {
    JsonObject json = SessionReplayJson.refused(opened.record(), mode, refusal);
    export(json);
    switch (form.format()) {
      case JSON -> terminal.json().print(json + "\n");
      case JUNIT -> terminal.out().print(SessionReplayJUnit.refused(opened.record(), refusal));
      case TEXT, MARKDOWN -> {
        // the message on standard error has it all
      }
    }
    terminal.out().flush();
  }
}
