package dev.agentreplay.engine.report;

import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.replay.Isolation;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayStoppedException;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The phrases of the reports of replays for people. */
final class RunWording {

  private static final int MAX_NAME = 40;

  private RunWording() {}

  /** The recorded exchanges, as in "18 recorded: 17 served, 1 unread". */
  static String exchanges(ReplayReport report) {
    ReplayReport.ExchangeCounts counts = report.exchanges();
    if (report.mode() == ReplayMode.VALIDATION) {
      return Wording.count(counts.recorded()) + " recorded"; // there is no agent to request them
    }
    List<String> parts = new ArrayList<>();
    add(parts, counts.served(), "served");
    add(parts, counts.executed(), "executed");
    add(parts, counts.unread(), "unread");
    add(parts, report.notReexecuted(), "not executed again");
    String recorded = Wording.count(counts.recorded()) + " recorded";
    return parts.isEmpty() ? recorded : recorded + ": " + String.join(", ", parts);
  }

  /** The requests, as in "18: 16 exact, 1 rules, 1 missed". */
  static String requests(ReplayReport report) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<MatchRung, Long> rung : report.matched().entrySet()) {
      add(parts, rung.getValue(), rung.getKey().id().replace('_', ' '));
    }
    add(parts, report.missed(), "missed");
    String total = Wording.count(report.requests());
    return parts.isEmpty() ? total : total + ": " + String.join(", ", parts);
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(Wording.count(count) + " " + what);
    }
  }

  /** The number of divergences of each kind, as in "1 MISS, 2 UNREAD"; empty if there is none. */
  static String divergences(ReplayReport report) {
    List<String> parts = new ArrayList<>();
    report.divergencesByKind().forEach((kind, count) -> add(parts, count, kind));
    return String.join(", ", parts);
  }

  /** The agreement of executed exchanges, as in "4 of 5 executed: read_file 3 of 3, ..." */
  static String agreement(ReplayReport report) {
    if (report.agreement().isEmpty()) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    report
        .agreement()
        .forEach((name, each) ->
            parts.add("%s %s".formatted(PlainText.fit(name, MAX_NAME), agreement(each))));
    return "%s executed: %s".formatted(agreement(total(report)), String.join(", ", parts));
  }

  private static String agreement(ReplayReport.Agreement agreement) {
    return "%s of %s".formatted(Wording.count(agreement.same()), Wording.count(agreement.of()));
  }

  /** The agreement of all executed exchanges. */
  static ReplayReport.Agreement total(ReplayReport report) {
    return report.agreement().values().stream()
        .reduce(new ReplayReport.Agreement(0, 0), ReplayReport.Agreement::plus);
  }

  /** The label of {@link #failure}. */
  static String failureLabel(ReplayReport report) {
    return report.failure() instanceof ReplayStoppedException ? "stopped" : "agent";
  }

  /** The exception of the agent in one sentence; null if it returned, or was only stopped. */
  static @Nullable String failure(ReplayReport report) {
    Throwable failure = report.failure();
    boolean isStopped =
        failure instanceof InterruptedException || failure instanceof ReplayStoppedException;
    if (failure == null || (isStopped && !report.incomplete().isEmpty())) {
      return null;
    }
    boolean isReported = failure instanceof ReplayMissException miss
        && report.divergences().stream().anyMatch(divergence -> divergence.miss() == miss.miss());
    if (failure instanceof ReplayStoppedException) {
      return Failure.message(failure);
    }
    String text = "%s: %s".formatted(failure.getClass().getSimpleName(), Failure.message(failure));
    return isReported ? text.lines().findFirst().orElse("") : text;
  }

  /** A hint at the next step; null if there is none. */
  static @Nullable String next(ReplayReport report) {
    boolean hasMissed = report.missed() > 0;
    if (report.verdict() == ReplayVerdict.IDENTICAL) {
      return null;
    }
    if (report.verdict() == ReplayVerdict.INCOMPLETE && isNotExecuted(report)) {
      return "what was not executed is not compared: it says nothing about the session";
    }
    if (report.verdict() == ReplayVerdict.INCOMPLETE && !hasMissed) {
      return "what was replayed so far is compared; a higher limit, or a complete recording, shows"
          + " the rest";
    }
    if (hasMissed) {
      return "record the session again if the change is intended; --on-unmatched error shows all"
          + " misses in one run, --on-unmatched position serves the recorded exchange all the same";
    }
    if (report.mode() == ReplayMode.VALIDATION) {
      return report.comparison() == null
          ? "replay verify %s lists the findings; --against SESSION compares with a different run"
              .formatted(report.recording())
          : null;
    }
    if (report.verdict() == ReplayVerdict.UNVERIFIED) {
      return report.notReexecuted() > 0 || report.exchanges().recorded() == 0
          ? "declare the effects of tools that may be executed again, and give them an executor"
          : "replay verify %s lists the findings".formatted(report.recording());
    }
    return report.directory() == null
        ? "--out DIR keeps the session of the replay"
        : "replay diff %s %s".formatted(report.recording(), report.directory());
  }

  /** The isolation of programs in at most two lines; empty if none was started. */
  static List<String> isolation(ReplayReport report) {
    Isolation isolation = report.isolation();
    if (isolation.equals(Isolation.NO_PROGRAMS)) {
      return List.of();
    }
    List<String> parts = new ArrayList<>();
    if (!isolation.enforced().isEmpty()) {
      parts.add("enforced: " + String.join(", ", isolation.enforced().names()));
    }
    if (!isolation.pinned().isEmpty()) {
      parts.add("as recorded: " + String.join(", ", isolation.pinned().names()));
    }
    String first = parts.isEmpty()
        ? isolation.sandbox()
        : isolation.sandbox() + "; " + String.join("; ", parts);
    return isolation.gaps().isEmpty()
        ? List.of(first)
        : List.of(first, "not isolated: " + String.join("; ", isolation.gaps()));
  }

  private static boolean isNotExecuted(ReplayReport report) {
    return report.divergences().stream().anyMatch(each -> each.notExecuted() != null);
  }

  /**
   * A number of bytes, calls or a time from the budget; whole numbers have thousands separators.
   */
  static String budget(ReplayReport report) {
    List<String> parts = new ArrayList<>();
    report.budget().forEach((name, value) -> {
      if (!(value instanceof JsonNull)) {
        parts.add(PlainText.fit("%s %s".formatted(name, value), 60));
      }
    });
    return String.join(", ", parts);
  }
}
