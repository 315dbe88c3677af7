package dev.agentreplay.records.report;

import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.replay.DivergenceTally;
import dev.agentreplay.records.replay.InputDifference;
import dev.agentreplay.records.replay.MessageDivergence;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.RosterChange;
import dev.agentreplay.records.replay.SessionDeltas;
import dev.agentreplay.records.replay.SessionDeltas.Delta;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.records.report.ReportLines.Color;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Renders a verification or a comparison as text. */
final class ComparedText {

  private final SessionReplayResult result;
  private final RecordReplayReport report;
  private final TextOptions options;
  private final ReportLines lines;

  ComparedText(SessionReplayResult result, TextOptions options) {
    this.result = result;
    this.report = result.report();
    this.options = options;
    this.lines = new ReportLines(options);
  }

  String render() {
    headline(result, lines);
    lines.labelled("session", SessionWording.title(result));
    lines.labelled(
        "record", "%s, replayed at %s".formatted(result.original().id(), report.replayedAt()));
    for (InputDifference input : result.inputs()) {
      lines.labelled("input", input.message());
    }
    String failure = result.failure();
    if (failure != null) {
      String label = "incomplete";
      for (String line : failure.lines().toList()) {
        lines.labelled(label, line);
        label = "";
      }
    }
    lines.end();
    numbers();
    lines.end();
    DivergenceTally tally = DivergenceTally.of(result);
    lines.labelled("divergences", SessionWording.divergences(tally));
    lines.labelled("not reached", SessionWording.notReplayed(result));
    lines.labelled("decided", SessionWording.measures(result));
    lines.labelled("thresholds", SessionWording.thresholds(result));
    if (report.mode() == Mode.COMPARISON) {
      deltas();
    }
    divergences();
    String next = SessionWording.next(result);
    if (next != null) {
      lines.end().labelled("next", next);
    }
    return lines.toString();
  }

  /** Adds the verdict, and the conclusion on as many lines as it needs. */
  static void headline(SessionReplayResult result, ReportLines lines) {
    Color color =
        switch (result.verdict()) {
          case MATCHED -> Color.GOOD;
          case DIVERGED -> Color.MAJOR;
          case UNDECIDED, INCOMPLETE -> Color.MODERATE;
        };
    String verdict = result.verdict().id();
    lines.headline(color, verdict, result.report().conclusion());
  }

  /** The lines of the origin's report. */
  private void numbers() {
    Progress progress = report.progress();
    number(
        "Rounds completed: " + SessionWording.rounds(result),
        progress.roundsCompleted(),
        progress.roundsExpected());
    number(
        "Message count match: " + SessionWording.messages(result),
        progress.messagesMatched(),
        progress.messagesExpected());
    lines
        .add("  Session similarity: "
            + SessionWording.percent(report.similarity().percentage()))
        .end();
    lines.add("  Final artifact similarity: " + SessionWording.artifact(result)).end();
  }

  private void number(String text, long some, long all) {
    Color color = some == all ? Color.GOOD : Color.MODERATE;
    lines.add("  " + text + " ").add(color, SessionWording.sign(some, all)).end();
  }

  private void deltas() {
    SessionDeltas deltas = SessionDeltas.of(result);
    for (RosterChange change : deltas.rosterChanges()) {
      lines.labelled("roster", SessionWording.change(change));
    }
    lines.labelled(
        "deltas",
        deltas.totals().entrySet().stream()
            .filter(each -> isDifferent(each.getValue()))
            .map(ComparedText::delta)
            .collect(Collectors.joining(", ")));
    deltas
        .byRole()
        .forEach((role, tally) -> lines.labelled(
            "by role",
            "%s: %d matched, divergences: %s"
                .formatted(role, tally.matched(), SessionWording.divergences(tally))));
  }

  private static boolean isDifferent(Delta delta) {
    BigDecimal difference = delta.difference();
    return difference != null && difference.signum() != 0;
  }

  private static String delta(Map.Entry<String, Delta> entry) {
    BigDecimal difference = entry.getValue().difference();
    String sign = difference != null && difference.signum() > 0 ? "+" : "";
    return "%s %s → %s (%s%s)"
        .formatted(
            entry.getKey(),
            entry.getValue().original(),
            entry.getValue().replayed(),
            sign,
            difference);
  }

  private void divergences() {
    List<MessagePair> all = SessionWording.divergent(result);
    Set<MessagePair> listed = Collections.newSetFromMap(new IdentityHashMap<>());
    all.stream()
        .sorted(Comparator.comparing(ComparedText::severity).reversed())
        .limit(options.maxDivergences())
        .forEach(listed::add);
    for (MessagePair pair : all) {
      MessageDivergence divergence = pair.divergence();
      if (divergence != null && listed.contains(pair)) {
        divergence(pair, divergence);
      }
    }
    if (listed.size() < all.size()) {
      lines
          .end()
          .add("  %s not listed"
              .formatted(PlainText.count(all.size() - listed.size(), "more divergence")))
          .end();
    }
  }

  private static RecordReplayReport.Severity severity(MessagePair pair) {
    MessageDivergence divergence = pair.divergence();
    return divergence == null
        ? RecordReplayReport.Severity.NONE
        : divergence.reported().severity();
  }

  private void divergence(MessagePair pair, MessageDivergence divergence) {
    Color color = Color.of(divergence.reported().severity());
    lines
        .end()
        .add(Color.BOLD, SessionWording.place(result, pair))
        .add("  ")
        .add(Color.NAME, SessionWording.name(pair.any().message().from()))
        .add(" " + pair.any().message().type().id() + "  ")
        .add(color, SessionWording.kind(divergence))
        .end();
    summary("  Original: ", SessionWording.summary(divergence, true));
    summary("  Replay:   ", SessionWording.summary(divergence, false));
    lines
        .add("  Semantic match: ")
        .add(color, SessionWording.semanticMatch(divergence))
        .end();
    lines.wrapped("  Decided by: ", SessionWording.explanation(divergence));
  }

  private void summary(String label, String summary) {
    if (options.full()) {
      lines.wrapped(label, summary);
    } else {
      lines.add(label).add(summary).end();
    }
  }
}
