package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.Circumstance;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Renders the report of a replay as text. */
final class RunText {

  private static final String INDENT = "     ";
  private static final int LABEL = 12;

  private final TextOptions options;
  private final ReplayReport report;
  private final RunDivergences numbers;
  private final @Nullable DivergenceText compared;
  private final StringBuilder out = new StringBuilder();

  RunText(TextOptions options, ReplayReport report) {
    this.options = options;
    this.report = Objects.requireNonNull(report, "report");
    this.numbers = new RunDivergences(report);
    SessionDiff diff = report.comparison();
    this.compared = diff == null ? null : new DivergenceText(options, diff, numbers::number);
  }

  String render() {
    out.append(row().add(verdict(), RunWording.verdict(report)).add("  " + report.headline()));
    String session =
        report.sessionId() == null ? report.recording().toString() : report.sessionId();
    labelled(
        "session", PlainText.fitEnd(session, 60) + ", mode " + report.mode().id());
    labelled("fork", RunWording.fork(report));
    boolean failsAtOnce = RunWording.failsAtOnce(report);
    labelled("agent", failsAtOnce ? RunWording.failure(report) : null);
    labelled("exchanges", RunWording.exchanges(report));
    if (report.requests() > 0) {
      labelled("requests", RunWording.requests(report));
    }
    labelled("agreement", RunWording.agreement(report));
    labelled("divergences", RunWording.divergences(report));
    labelled("accepted", RunWording.accepted(report));
    labelled("budget", report.exchanges().executed() == 0 ? null : RunWording.budget(report));
    RunWording.isolation(report).forEach(line -> labelled("isolation", line));
    for (Circumstance circumstance : report.circumstances()) {
      labelled(RunWording.label(circumstance), circumstance.name() + ": " + circumstance.message());
    }
    labelled("note", RunWording.ignored(report));
    report.incomplete().forEach(reason -> labelled("incomplete", reason));
    labelled(RunWording.failureLabel(report), failsAtOnce ? null : RunWording.failure(report));
    labelled(
        "recorded in", report.directory() == null ? null : report.directory().toString());
    divergences();
    String next = RunWording.next(report);
    if (next != null) {
      out.append('\n');
      labelled("next", next);
    }
    return out.toString();
  }

  private Paint verdict() {
    Divergence.Role root = Divergence.Role.ROOT;
    return switch (report.verdict()) {
      case IDENTICAL -> Paint.GOOD;
      case DIVERGED ->
        report.divergences().stream()
            .filter(divergence -> divergence.role() == root)
            .findFirst()
            .map(divergence -> Paint.of(divergence.severity()))
            .orElse(Paint.MAJOR);
      case INCOMPLETE, UNVERIFIED -> Paint.MODERATE;
    };
  }

  private TextRow row() {
    return new TextRow(options);
  }

  /** Adds a text after its label, on several lines if it is long. */
  private void labelled(String label, @Nullable String text) {
    if (text == null || text.isEmpty()) {
      return;
    }
    String start = "  " + label + " ".repeat(LABEL - label.length());
    for (String line : text.lines().toList()) {
      for (String part : parts(line, options.width() - start.length())) {
        out.append(row().add(start).add(part));
        start = " ".repeat(start.length());
      }
    }
  }

  /** The lines of a text, broken at blanks, and within words that are longer than a line. */
  private static List<String> parts(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = PlainText.of(text);
    while (rest.length() > width) {
      int end = rest.lastIndexOf(' ', width);
      end = end <= 0 ? rest.offsetByCodePoints(0, rest.codePointCount(0, width)) : end;
      lines.add(rest.substring(0, end));
      rest = rest.substring(end).stripLeading();
    }
    lines.add(rest);
    return lines;
  }

  private void divergences() {
    boolean wasBlock = true;
    List<Integer> listed = listed();
    for (int number : listed) {
      ReplayDivergence divergence = report.divergences().get(number);
      boolean isBlock = options.full() || divergence.role() != Divergence.Role.DOWNSTREAM;
      if (isBlock || wasBlock) {
        out.append('\n');
      }
      Divergence known = divergence.comparison();
      boolean isExplained = isBlock && RunDivergences.isExplained(divergence);
      if (known != null && compared != null && !isExplained) {
        String kind = divergence.kind();
        out.append(isBlock ? compared.block(known, kind) : compared.line(known, kind));
      } else {
        ofLedger(number, divergence, isBlock);
      }
      wasBlock = isBlock;
    }
    long more = numbers.unlisted() + report.divergences().size() - listed.size();
    if (more > 0) {
      out.append('\n').append(row().add("  %s more, not listed".formatted(Wording.count(more))));
    }
  }

  /** The most important divergences in the order of the report. */
  private List<Integer> listed() {
    List<ReplayDivergence> all = report.divergences();
    return IntStream.range(0, all.size())
        .boxed()
        .sorted(Comparator.comparing((Integer number) -> rank(all.get(number))))
        .limit(options.maxDivergences())
        .sorted()
        .toList();
  }

  private static int rank(ReplayDivergence divergence) {
    if (divergence.severity() == DivergenceSeverity.NONE) {
      return Integer.MAX_VALUE;
    }
    return switch (divergence.role()) {
      case ROOT -> 0;
      case INDEPENDENT -> 1;
      case DOWNSTREAM -> 2;
    };
  }

  /** Adds what the ledger has of a divergence: its message, or the report on the miss. */
  private void ofLedger(int number, ReplayDivergence divergence, boolean isBlock) {
    Paint paint = Paint.of(divergence.severity());
    TextRow head = row()
        .add(Paint.BOLD, "%3d. ".formatted(number + 1))
        .add(paint, divergence.kind())
        .add("  ")
        .add(PlainText.fit(RunDivergences.lane(divergence), options.width() / 4))
        .add(Paint.NAME, name(divergence))
        .add(paint, divergence.severity().id())
        .add(", " + role(divergence));
    String place = RunDivergences.place(divergence);
    if (!isBlock) {
      String message = RunDivergences.lines(divergence).stream().findFirst().orElse("");
      out.append(head.add("  " + place).add(Paint.DIM, "  " + message));
      return;
    }
    String followers =
        divergence.comparison() == null ? "" : Wording.followers(divergence.comparison());
    out.append(followers.isEmpty() ? head : head.add(Paint.BOLD, "; " + followers));
    if (!place.isEmpty()) {
      out.append(row().add(INDENT + place));
    }
    lines(divergence);
  }

  private String name(ReplayDivergence divergence) {
    ReplayMiss miss = divergence.miss();
    Divergence known = divergence.comparison();
    String name = miss != null ? miss.name() : known != null ? known.step().name() : "";
    return name.isEmpty() ? "" : PlainText.fit(name, options.width() / 3) + "  ";
  }

  private String role(ReplayDivergence divergence) {
    Divergence known = divergence.comparison();
    return known == null ? divergence.role().id() : Wording.role(known, numbers::number);
  }

  private void lines(ReplayDivergence divergence) {
    for (String line : RunDivergences.lines(divergence)) {
      String text = line.strip();
      int indent = line.length() - line.stripLeading().length();
      Paint paint =
          text.startsWith("- ") ? Paint.REMOVED : text.startsWith("+ ") ? Paint.ADDED : Paint.PLAIN;
      String before = INDENT + " ".repeat(indent);
      if (paint != Paint.PLAIN) {
        out.append(row().add(before).add(paint, text));
      } else {
        parts(text, options.width() - before.length())
            .forEach(part -> out.append(row().add(before).add(part)));
      }
    }
  }
}
