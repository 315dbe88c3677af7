package dev.agentreplay.cli.text;

import dev.agentreplay.sandbox.Enforcement;
import dev.agentreplay.sandbox.mechanism.SandboxAttempt;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.ToolStart;
import dev.agentreplay.sandbox.probe.ProbeResult;
import dev.agentreplay.sandbox.probe.ProbeResult.Outcome;
import dev.agentreplay.sandbox.probe.SandboxReport;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The report of {@code replay doctor} for people. */
public final class DoctorText {

  private static final int DETAIL = 110;

  private final Style style;
  private final StringBuilder out = new StringBuilder();

  public DoctorText(Style style) {
    this.style = style;
  }

  /** Renders the mechanisms that were tried, and the starts of the tools. */
  public String render(SandboxSelection selection, List<ToolStart> starts) {
    selection.attempts().forEach(this::attempt);
    starts.forEach(this::tool);
    if (!starts.stream().allMatch(ToolStart::isStarted)) {
      out.append("  hint: --workspace DIR starts the tools in DIR instead of the current directory,"
          + " and --ro PATH shows them PATH\n");
    }
    if (selection.used() == null) {
      out.append("no sandbox can be used: a replay that executes programs is refused\n");
    }
    return out.toString();
  }

  private void attempt(SandboxAttempt attempt) {
    SandboxReport report = attempt.report();
    String name = style.bold(attempt.mechanism().id());
    if (attempt.failure() == null && report != null) {
      out.append(name).append(": ").append(summary(report)).append('\n');
    } else {
      out.append(name)
          .append(": ")
          .append(style.bad("cannot be used"))
          .append(": ")
          .append(Style.plain(String.valueOf(attempt.failure())))
          .append('\n');
    }
    for (String remedy : attempt.remedies()) {
      out.append("  remedy: ").append(remedy).append('\n');
    }
    if (report != null) {
      results(report);
    }
  }

  private String summary(SandboxReport report) {
    int gaps = report.gaps().size();
    return report.isIsolated()
        ? style.good("isolates programs")
        : style.warn(
            "isolates files; %d %s open".formatted(gaps, gaps == 1 ? "aspect is" : "aspects are"));
  }

  private void results(SandboxReport report) {
    Enforcement limits = report.enforcement();
    out.append("  limits: memory by %s, processes by %s, files by %s\n\n"
        .formatted(limits.memory().id(), limits.processes().id(), limits.files().id()));
    int text = width(report, true);
    int by = width(report, false);
    for (ProbeResult result : report.results()) {
      String outcome = "%-12s".formatted(result.outcome().id());
      out.append("  ")
          .append(pad(result.aspect().text(), text))
          .append("  ")
          .append(paint(result.outcome(), outcome))
          .append("  ")
          .append(pad(result.by(), by))
          .append("  ")
          .append(Style.fit(Style.plain(result.detail()), DETAIL))
          .append('\n');
    }
    out.append('\n');
  }

  private String paint(Outcome outcome, String text) {
    return switch (outcome) {
      case ENFORCED -> style.good(text);
      case OPEN -> style.bad(text);
      case INCONCLUSIVE -> style.warn(text);
    };
  }

  private void tool(ToolStart start) {
    String started = start.isStarted() ? style.good("started") : style.bad("not started");
    out.append("tool ")
        .append(style.name(Style.plain(start.tool())))
        .append(": ")
        .append(started)
        .append(": ")
        .append(Style.plain(start.detail()))
        .append('\n');
    if (!start.shown().isEmpty()) {
      out.append("  shown read-only: ")
          .append(Style.plain(
              start.shown().stream().map(Path::toString).collect(Collectors.joining(", "))))
          .append('\n');
    }
  }

  private static int width(SandboxReport report, boolean isText) {
    return report.results().stream()
        .mapToInt(result -> (isText ? result.aspect().text() : result.by()).length())
        .max()
        .orElse(0);
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
