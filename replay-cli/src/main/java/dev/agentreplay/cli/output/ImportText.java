package dev.agentreplay.cli.output;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.convert.trace.report.ImportCounts;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.ImportTotals;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.TraceLedger;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Renders the reports of {@code replay import} as text. Values of the source are not shown. */
public final class ImportText {

  private static final int MAX_FAULTS = 20;
  private static final int MAX_NAMES = 12;

  private final Style style;
  private final boolean isWholeLedger;

  /**
   * Creates a renderer.
   *
   * @param isWholeLedger whether the whole ledger is shown, not only what was dropped
   */
  public ImportText(Style style, boolean isWholeLedger) {
    this.style = style;
    this.isWholeLedger = isWholeLedger;
  }

  /** Renders the report on the only source. */
  public String render(ImportReport report) {
    LabelledText text = new LabelledText();
    text.append("%s  %s\n"
        .formatted(
            outcome(report.outcome()), style.bold(Style.plain(report.out().toString()))));
    text.labelled("source", Style.plain(report.source().toString()));
    if (report.format() != null) {
      text.labelled("format", report.format().id() + ", " + report.format().title());
    }
    List<ImportedSession> sessions = report.sessions();
    if (sessions.size() > 1) {
      text.labelled("sessions", PlainText.count(sessions.size(), "session"));
    }
    faults(text, report.faults(), report.faults().size());
    for (ImportedSession session : sessions) {
      session(text, session);
    }
    text.labelled("next", next(report.out(), sessions.size() > 1));
    return text.toString();
  }

  private void session(LabelledText text, ImportedSession session) {
    String name = session.name();
    if (name != null) {
      text.append("\n" + style.bold(Style.plain(name)) + "\n");
    }
    text.labelled("session", Style.plain(session.id()));
    text.labelled("records", numbers(session.counts().records(), session.records()));
    text.labelled("events", events(session.counts()));
    if (session.counts().tokensIn() + session.counts().tokensOut() > 0) {
      text.labelled("tokens", tokens(session.counts()));
    }
    unknown(text, session.unknownRecords());
    faults(text, session.faults(), session.faultCount());
    ledger(text, session.ledger());
  }

  /** Renders the report on one of several sources as a row, with the reason of a failure. */
  public String row(ImportReport report) {
    String what =
        switch (report.outcome()) {
          case IMPORTED -> imported(report);
          case UNCHANGED -> "";
          case CHANGED -> "  the source has changed; --overwrite imports it again";
          case FAILED -> "  " + Style.plain(Objects.requireNonNullElse(report.message(), ""));
        };
    String padding = " ".repeat(9 - report.outcome().id().length());
    return "%s%s  %s%s\n"
        .formatted(
            outcome(report.outcome()), padding, Style.plain(report.source().toString()), what);
  }

  private String imported(ImportReport report) {
    ImportCounts counts = report.sessions().stream()
        .map(ImportedSession::counts)
        .reduce(ImportCounts.NONE, ImportCounts::plus);
    List<String> parts = new ArrayList<>();
    parts.add(Objects.requireNonNull(report.format()).id());
    if (report.sessions().size() > 1) {
      parts.add(PlainText.count(report.sessions().size(), "session"));
    }
    parts.add(PlainText.count(counts.modelCalls(), "model call"));
    parts.add(PlainText.count(counts.toolCalls(), "tool call"));
    if (report.faultCount() > 0) {
      parts.add(style.bad(PlainText.count(report.faultCount(), "fault")));
    }
    return "  " + String.join(", ", parts);
  }

  /** Renders the totals of several sources. */
  public String totals(ImportTotals totals, Path out) {
    LabelledText text = new LabelledText();
    List<String> outcomes = new ArrayList<>();
    for (Outcome outcome : Outcome.values()) {
      if (totals.count(outcome) > 0) {
        outcomes.add("%,d %s".formatted(totals.count(outcome), outcome.id()));
      }
    }
    text.append("\n");
    text.labelled(
        "sources", PlainText.count(totals.sources(), "trace") + ": " + String.join(", ", outcomes));
    if (totals.sessions() > 0) {
      text.labelled("sessions", PlainText.count(totals.sessions(), "session") + " written");
      text.labelled("events", events(totals.counts()));
      text.labelled("tokens", tokens(totals.counts()));
    }
    unknown(text, totals.unknownRecords());
    if (totals.faults() > 0) {
      text.labelled(
          "faults",
          "%,d; %s of each session lists them"
              .formatted(totals.faults(), ImportedSession.FILE_NAME));
    }
    ledger(text, totals.ledger());
    if (totals.count(Outcome.FAILED) < totals.sources()) {
      text.labelled("next", next(out, true));
    }
    return text.toString();
  }

  private String outcome(Outcome outcome) {
    return switch (outcome) {
      case IMPORTED -> style.good(outcome.id());
      case UNCHANGED -> style.dim(outcome.id());
      case CHANGED -> style.warn(outcome.id());
      case FAILED -> style.bad(outcome.id());
    };
  }

  private static String events(ImportCounts counts) {
    List<String> parts = new ArrayList<>();
    parts.add(PlainText.count(counts.events(), "event"));
    parts.add(PlainText.count(counts.messages(), "message") + " of users");
    parts.add(PlainText.count(counts.modelCalls(), "model call"));
    parts.add(PlainText.count(counts.toolCalls(), "tool call"));
    parts.add(PlainText.count(counts.toolResults(), "result"));
    if (counts.orphanResults() > 0) {
      parts.add(PlainText.count(counts.orphanResults(), "result") + " without a call");
    }
    if (counts.agents() > 0) {
      parts.add(PlainText.count(counts.agents(), "sub-agent"));
    }
    return String.join(", ", parts);
  }

  private static String tokens(ImportCounts counts) {
    return "%,d in, %,d out".formatted(counts.tokensIn(), counts.tokensOut());
  }

  private void unknown(LabelledText text, Map<String, Long> unknown) {
    if (!unknown.isEmpty()) {
      long sum = unknown.values().stream().mapToLong(Long::longValue).sum();
      text.labelled("unknown", style.warn(numbers(sum, unknown)) + " (kept)");
    }
  }

  /** A sum, with the number of each name, the largest first. */
  private static String numbers(long sum, Map<String, Long> numbers) {
    List<String> names = numbers.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue()
            .reversed()
            .thenComparing(Map.Entry.comparingByKey()))
        .map(entry -> "%s %,d".formatted(Style.plain(entry.getKey()), entry.getValue()))
        .toList();
    return "%,d: %s".formatted(sum, listed(names));
  }

  private void faults(LabelledText text, List<SourceFault> faults, long count) {
    List<String> lines = new ArrayList<>();
    faults.stream()
        .limit(MAX_FAULTS)
        .map(fault -> style.bad(fault.kind().id())
            + "  "
            + Style.plain(fault.place() + ": " + fault.message()))
        .forEach(lines::add);
    if (count > lines.size()) {
      lines.add("%,d more in %s".formatted(count - lines.size(), ImportedSession.FILE_NAME));
    }
    text.labelled("faults", lines);
  }

  private void ledger(LabelledText text, TraceLedger ledger) {
    if (ledger.entries().isEmpty()) {
      return;
    }
    text.labelled(
        "ledger",
        "members: "
            + Arrays.stream(Action.values())
                .map(action -> "%,d %s".formatted(ledger.count(action), action.id()))
                .collect(Collectors.joining(", ")));
    if (isWholeLedger) {
      ledger.entries().forEach(entry -> text.append(line(entry)));
    } else {
      dropped(ledger)
          .forEach((reason, entries) ->
              text.wrap("    " + style.warn("dropped") + "  ", dropped(reason, entries)));
    }
  }

  /** The entries of what was dropped, by the reason. */
  private static Map<String, List<Entry>> dropped(TraceLedger ledger) {
    return ledger.entries().stream()
        .filter(entry -> entry.action() == Action.DROPPED)
        .collect(Collectors.groupingBy(
            entry -> Objects.requireNonNullElse(entry.note(), ""),
            TreeMap::new,
            Collectors.toList()));
  }

  private static String dropped(String reason, List<Entry> entries) {
    long count = entries.stream().mapToLong(Entry::count).sum();
    List<String> names = entries.stream()
        .map(entry -> entry.member().isEmpty() ? entry.record() : entry.member().substring(1))
        .distinct()
        .toList();
    return Style.plain("%,d %s: %s".formatted(count, reason, listed(names)));
  }

  private static String listed(List<String> names) {
    int more = names.size() - MAX_NAMES;
    return names.stream().limit(MAX_NAMES).collect(Collectors.joining(", "))
        + (more > 0 ? " and %,d more".formatted(more) : "");
  }

  private String line(Entry entry) {
    String action = "%-9s".formatted(entry.action().id());
    return "    %s %,8d  %s%s%s\n"
        .formatted(
            entry.action() == Action.DROPPED ? style.warn(action) : style.dim(action),
            entry.count(),
            Style.plain(entry.record() + entry.member()),
            entry.to() == null ? "" : " -> " + Style.plain(entry.to()),
            entry.note() == null ? "" : style.dim("  (" + Style.plain(entry.note()) + ")"));
  }

  private static List<String> next(Path out, boolean areSeveral) {
    String directory = NextCommands.quoted(out.toString());
    return areSeveral
        ? List.of("replay list " + directory, "replay verify " + directory)
        : List.of(
            "replay show " + directory, "replay stats " + directory, "replay verify " + directory);
  }
}
