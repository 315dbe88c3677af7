package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.Circumstance;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.model.text.PlainText;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Renders the report of a replay as Markdown, under the rules of {@link MarkdownReport}. */
final class RunMarkdown {

  private static final int MAX_ROWS = 50;
  private static final int MAX_CIRCUMSTANCES = 20;
  private static final int NAME = 60;
  private static final int MAX_LINE = 1_000;
  private static final int RESERVE = 200;

  private final ReplayReport report;
  private final RunDivergences numbers;
  private final StringBuilder out = new StringBuilder();

  RunMarkdown(ReplayReport report) {
    this.report = report;
    this.numbers = new RunDivergences(report);
  }

  String render() {
    String verdict = RunWording.verdict(report);
    out.append("**%s%s** · %s\n\n"
        .formatted(
            verdict.substring(0, 1).toUpperCase(Locale.ROOT),
            verdict.substring(1),
            MarkdownText.code(report.headline())));
    String session =
        report.sessionId() == null ? report.recording().toString() : report.sessionId();
    item(
        "session",
        MarkdownText.code(PlainText.fitEnd(session, 2 * NAME)) + ", mode "
            + report.mode().id());
    String fork = RunWording.fork(report);
    item("fork", fork == null ? "" : MarkdownText.code(fork));
    item("exchanges", RunWording.exchanges(report));
    item("requests", report.requests() == 0 ? "" : RunWording.requests(report));
    String agreement = RunWording.agreement(report);
    item("agreement", agreement.isEmpty() ? "" : MarkdownText.code(agreement));
    for (String line : RunWording.isolation(report)) {
      item("isolation", MarkdownText.code(PlainText.fit(line, MAX_LINE)));
    }
    for (Circumstance circumstance :
        report.circumstances().stream().limit(MAX_CIRCUMSTANCES).toList()) {
      item(
          RunWording.label(circumstance),
          MarkdownText.code(circumstance.name() + ": " + circumstance.message()));
    }
    item("accepted", RunWording.accepted(report));
    String ignored = RunWording.ignored(report);
    item("note", ignored == null ? "" : ignored);
    for (String reason : report.incomplete()) {
      item("incomplete", MarkdownText.code(reason));
    }
    String failure = RunWording.failure(report);
    item(RunWording.failureLabel(report), failure == null ? "" : MarkdownText.code(failure));
    table();
    details();
    return out.toString();
  }

  private void item(String label, String text) {
    if (!text.isEmpty()) {
      out.append("- ").append(label).append(": ").append(text).append('\n');
    }
  }

  private void table() {
    List<ReplayDivergence> divergences = report.divergences();
    if (divergences.isEmpty()) {
      return;
    }
    out.append("\n| | kind | severity | role | − | + | |\n|--:|---|---|---|---|---|---|\n");
    for (int i = 0; i < Math.min(MAX_ROWS, divergences.size()); i++) {
      ReplayDivergence divergence = divergences.get(i);
      List<String> lines = RunDivergences.lines(divergence);
      String message = lines.isEmpty() ? "" : lines.get(0);
      out.append("| %d | %s | %s | %s | %s | %s | %s |\n"
          .formatted(
              i + 1,
              divergence.kind(),
              divergence.severity().id(),
              role(divergence),
              line(divergence.recordedLine()),
              line(divergence.replayLine()),
              MarkdownText.cell(PlainText.fit(message, 2 * NAME))));
    }
    long more = numbers.unlisted() + Math.max(0, divergences.size() - MAX_ROWS);
    if (more > 0) {
      out.append("\n%s more, not listed; total: %s\n"
          .formatted(Wording.count(more), RunWording.divergences(report)));
    }
  }

  private static String line(@Nullable Long line) {
    return line == null ? "" : "line " + line;
  }

  private String role(ReplayDivergence divergence) {
    Divergence compared = divergence.comparison();
    return compared == null || divergence.role() != compared.role()
        ? divergence.role().id()
        : Wording.role(compared, numbers::number);
  }

  private void details() {
    List<ReplayDivergence> divergences = report.divergences();
    for (int i = 0; i < divergences.size(); i++) {
      String block = block(i, divergences.get(i));
      if (out.length() + block.length() + RESERVE > MarkdownReport.MAX_LENGTH) {
        out.append("\n%s of %s shown: a report has at most %s characters.\n"
            .formatted(
                Wording.count(i),
                PlainText.count(divergences.size(), "divergence"),
                Wording.count(MarkdownReport.MAX_LENGTH)));
        return;
      }
      out.append(block);
    }
  }

  private String block(int number, ReplayDivergence divergence) {
    StringBuilder block = new StringBuilder();
    // a summary is HTML and must not contain recorded text
    block.append("\n<details><summary>%d. %s, %s, %s</summary>\n\n"
        .formatted(number + 1, divergence.kind(), divergence.severity().id(), role(divergence)));
    SessionDiff diff = report.comparison();
    Divergence compared = divergence.comparison();
    if (diff != null && compared != null) {
      block.append(MarkdownReport.change(diff, compared));
    }
    if (compared == null || RunDivergences.isExplained(divergence)) {
      block.append('\n').append(MarkdownText.fence(RunDivergences.lines(divergence)));
    }
    return block.append("\n</details>\n").toString();
  }
}
