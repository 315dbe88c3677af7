package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** Creates the failure of a test whose replay is not identical to its recording. */
final class ReplayMismatch {

  /** The names of the circumstances that explain divergences. */
  private static final Set<String> EXPLANATIONS = Set.of("agents", "end.summary");

  private final ReplayReport report;

  private ReplayMismatch(ReplayReport report) {
    this.report = report;
  }

  /**
   * Creates a failure. Its expected and actual values are those of the first request that has no
   * match, or texts of both sessions.
   *
   * @param session the session that the replay recorded; null if there is none
   * @param cause the exception that the test threw; null if it returned
   * @param rules the lines about the rules and the accepted divergences of the recording
   * @param nextStep the step for the last lines of the message
   */
  static AssertionError of(
      ReplayReport report,
      Session recording,
      @Nullable Session session,
      @Nullable Throwable cause,
      String rules,
      NextStep nextStep)
      throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("replay mismatch: " + text(report));
    lines.add("recorded: " + Shown.path(recording));
    if (session != null) {
      lines.add("replay:   " + Shown.path(session));
    }
    rules.lines().filter(line -> !line.isEmpty()).forEach(lines::add);
    lines.add(
        isNotExecuted(report)
            ? NextStep.notExecuted(report.mode(), notExecuted(report, recording))
            : nextStep.differs());
    String message = String.join("\n", lines);
    AssertionError error = error(message, report, recording, session);
    ReplayMissException miss = report.firstMiss();
    if (cause != null) {
      error.initCause(cause);
    }
    if (miss != null && !Failed.causes(error).contains(miss)) { // the agent caught it
      if (cause == null) {
        error.initCause(miss);
      } else {
        error.addSuppressed(miss);
      }
    }
    return error;
  }

  /** Whether nothing differs, but not all was executed. */
  private static boolean isNotExecuted(ReplayReport report) {
    return report.verdict() == ReplayVerdict.UNVERIFIED && report.notReexecuted() > 0;
  }

  /** The names of the tools that were served although they are to be executed. */
  private static Set<String> notExecuted(ReplayReport report, Session recording)
      throws IOException {
    Set<Long> first = report.divergences().stream()
        .map(ReplayDivergence::recordedLine)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
    Set<String> tools = new LinkedHashSet<>();
    try (ReplayReader reader = recording.reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ToolCall call
            && first.contains(line.position().line())) {
          tools.add(call.tool());
        }
      }
    }
    return tools;
  }

  private static AssertionError error(
      String message, ReplayReport report, Session recording, @Nullable Session session) {
    SessionDiff diff = report.comparison();
    ReplayDivergence root = report.root();
    ReplayMiss.Nearest nearest =
        root == null || root.miss() == null ? null : root.miss().nearest();
    if (nearest != null && nearest.pointer() != null) {
      return diff == null || session == null
          ? new AssertionFailedError(message, nearest.recorded(), nearest.actual())
          : new SessionMismatchError(
              message, nearest.recorded(), nearest.actual(), diff, recording, session, report);
    }
    return diff == null || session == null || diff.passes()
        ? new AssertionFailedError(message)
        : new SessionMismatchError(message, diff, recording, session, report);
  }

  /** The headline, the first divergence with both values, and the numbers of the others. */
  static String text(ReplayReport report) {
    return new ReplayMismatch(report).text();
  }

  private String text() {
    List<String> lines = new ArrayList<>();
    lines.add(PlainText.of(report.headline()));
    if (report.requests() == 0 && report.mode().takesAgent()) {
      lines.add("  no model and no tool was requested from the scope: is the agent built on it?");
    }
    report.incomplete().forEach(reason -> lines.add("  incomplete: " + PlainText.of(reason)));
    ReplayDivergence root = report.root();
    if (root != null) {
      text(root).lines().map(line -> line.isEmpty() ? "" : "  " + line).forEach(lines::add);
      String others = others(root);
      if (!others.isEmpty()) {
        lines.add("  and " + others);
      }
      report.circumstances().stream()
          .filter(each -> EXPLANATIONS.contains(each.name()))
          .forEach(each -> lines.add("  " + PlainText.of(each.name() + ": " + each.message())));
    } else if (report.verdict() == ReplayVerdict.UNVERIFIED) {
      lines.add("  unverified: nothing was exchanged, or not all was executed that should be");
    }
    return String.join("\n", lines);
  }

  private String text(ReplayDivergence divergence) {
    ReplayMiss miss = divergence.miss();
    if (miss != null) {
      return Shown.lines(miss.message(), Integer.MAX_VALUE, "");
    }
    Divergence compared = divergence.comparison();
    SessionDiff diff = report.comparison();
    if (compared != null && diff != null) {
      return TextReport.render(diff.withNames("recorded", "replay")).stripTrailing();
    }
    Long line = divergence.recordedLine();
    return "%s  %s%s"
        .formatted(
            divergence.kind(),
            PlainText.of(divergence.message()),
            line == null ? "" : " (line %d of the recording)".formatted(line));
  }

  /**
   * The numbers of the other divergences by kind, without those that the comparison lists; empty if
   * there are none.
   */
  private String others(ReplayDivergence root) {
    Map<String, Long> others = new TreeMap<>();
    boolean isCompared = root.miss() == null && root.comparison() != null;
    for (ReplayDivergence each : report.divergences()) {
      if (each != root && !(isCompared && each.comparison() != null)) {
        others.merge(each.kind(), 1L, Long::sum);
      }
    }
    return others.entrySet().stream()
        .map(each -> "%d more %s".formatted(each.getValue(), each.getKey()))
        .collect(Collectors.joining(", "));
  }
}
