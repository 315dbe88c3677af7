package dev.agentreplay.cli.repeat;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.repeat.RepeatedReplay;
import dev.agentreplay.engine.repeat.RepeatedReport;
import dev.agentreplay.engine.report.FlakinessJson;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The replays of {@code --repeat}, with their report.
 *
 * @param out the directory of their sessions; null if they are not kept
 * @param export the file for the report as JSON; null for none
 * @param html the file for the page; null for none
 * @param isJson whether the report is printed as JSON
 */
public record RepeatedRun(
    @Nullable Path out, @Nullable Path export, @Nullable Path html, boolean isJson) {

  /**
   * Makes the replays, and writes the report.
   *
   * @param stop whether the user has interrupted the command
   * @return the report
   */
  public RepeatedReport run(
      Session recording,
      int times,
      RepeatedReplay.Run replay,
      BooleanSupplier stop,
      TextOptions text,
      Terminal terminal)
      throws IOException {
    if (out != null || html == null) {
      return run(out, recording, times, replay, stop, text, terminal);
    }
    // not deleted at an interrupt, before the report of the replays made so far is written
    try (TemporaryDirectory temporary = TemporaryDirectory.createWithoutExitHook()) {
      return run(temporary.path().resolve("runs"), recording, times, replay, stop, text, terminal);
    }
  }

  private RepeatedReport run(
      @Nullable Path directory,
      Session recording,
      int times,
      RepeatedReplay.Run replay,
      BooleanSupplier stop,
      TextOptions text,
      Terminal terminal)
      throws IOException {
    RepeatedReport report;
    try {
      report = RepeatedReplay.of(recording, times)
          .directory(directory)
          .stopWhen(stop)
          .run(replay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    page(report, recording, terminal);
    RepeatedReport shown = out == null ? report.withoutSessions() : report;
    String json = FlakinessJson.render(shown) + "\n";
    if (export != null) {
      WholeFile.create(export, json.getBytes(StandardCharsets.UTF_8));
    }
    if (isJson) {
      terminal.json().print(json);
    } else {
      terminal.out().print(TextReport.render(shown, text));
    }
    terminal.out().flush();
    return shown;
  }

  private void page(RepeatedReport report, Session recording, Terminal terminal)
      throws IOException {
    if (html == null) {
      return;
    }
    if (report.sessions().size() < 2) {
      terminal.complain(
          "--html: no page is written, because fewer than two replays have a session");
      return;
    }
    try (WholeFile page = WholeFile.creating(html)) {
      HtmlViewer.render(report.diffs(), recording, report.sessions(), page.out());
      page.commit();
    }
  }
}
