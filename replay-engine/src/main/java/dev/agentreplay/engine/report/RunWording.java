package dev.agentreplay.engine.report;

import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.Circumstance;
import dev.agentreplay.engine.replay.Isolation;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayStoppedException;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.view.SessionOrigin;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The phrases of the reports of replays for people. */
final class RunWording {

  private static final int MAX_NAME = 40;

  /** The misses for which the recording has nothing to serve. */
  private static final Set<MissKind> WITHOUT_ANSWER =
      Set.of(MissKind.NEVER_RECORDED, MissKind.UNDECIDED, MissKind.NOT_SERVABLE);

  /** The misses of which the recording has the exchange at the same place. */
  private static final Set<MissKind> CHANGED =
      Set.of(MissKind.DIVERGED, MissKind.MODEL_CHANGED, MissKind.TOOLS_CHANGED);

  private RunWording() {}

  /** The verdict, as in "identical, but 2 accepted". */
  static String verdict(ReplayReport report) {
    return report.verdict().id()
        + (report.isIdentical() ? Wording.accepted(report.acceptedCount()) : "");
  }

  /** The number of accepted divergences of each kind, as in "1 PARAMS"; empty if there is none. */
  static String accepted(ReplayReport report) {
    Map<String, Long> kinds = new TreeMap<>();
    report.accepted().forEach(each -> kinds.merge(each.kind(), 1L, Long::sum));
    List<String> parts = new ArrayList<>();
    kinds.forEach((kind, count) -> add(parts, count, kind));
    add(parts, report.acceptedCount() - report.accepted().size(), "more");
    return String.join(", ", parts);
  }

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

  /** The fork, as in "at line 14, with set /output"; null if the replay is none. */
  static @Nullable String fork(ReplayReport report) {
    ReplayReport.Forked fork = report.fork();
    if (fork == null) {
      return null;
    }
    return SessionOrigin.point(fork.origin()) + (fork.isReached() ? "" : ", not reached");
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

  /** The reason why the recording is not valid; null if nothing was found against it. */
  static @Nullable String fault(ReplayReport report) {
    VerificationReport verification = report.verification();
    Verdict verdict = verification.verdict();
    if (verdict != Verdict.VALID && verdict != Verdict.UNVERIFIED) {
      return "the recording is %s: %s"
          .formatted(verdict.id(), findings(report).stream().findFirst().orElse("no events"));
    }
    return verification.unmet().isEmpty()
        ? null
        : "the verification does not meet the requirements "
            + String.join(
                ", ", verification.unmet().stream().map(Requirement::id).toList());
  }

  /** The findings of the verification that are not only information, the gravest first. */
  static List<String> findings(ReplayReport report) {
    return report.verification().findings().stream()
        .filter(finding -> finding.severity() != Severity.INFO)
        .sorted(Comparator.comparing(Finding::severity))
        .map(finding -> PlainText.of(finding.code() + ": " + finding.message()))
        .toList();
  }

  /** The reasons why a replay does not show what it should, the most important first. */
  static List<String> reasons(ReplayReport report) {
    Set<String> reasons = new LinkedHashSet<>(report.incomplete());
    Stream.of(failure(report), fault(report)).filter(Objects::nonNull).forEach(reasons::add);
    if (report.verdict() == ReplayVerdict.UNVERIFIED) {
      report.divergences().forEach(divergence -> reasons.add(divergence.message()));
      if (report.mode() != ReplayMode.VALIDATION && report.exchanges().executed() == 0) {
        reasons.add(
            report.exchanges().served() == 0 ? "nothing was exchanged" : "nothing was executed");
      }
      report.circumstances().forEach(circumstance -> reasons.add(circumstance.message()));
    }
    return List.copyOf(reasons);
  }

  /** A hint at the next step; null if there is none. */
  static @Nullable String next(ReplayReport report) {
    return switch (report.verdict()) {
      case IDENTICAL -> null;
      case INCOMPLETE -> report.missed() > 0 ? afterMiss(report) : afterIncomplete(report);
      case DIVERGED -> afterDivergence(report);
      case UNVERIFIED -> report.missed() > 0 ? afterMiss(report) : afterUnverified(report);
    };
  }

  private static String afterIncomplete(ReplayReport report) {
    if (isNotExecuted(report)) {
      return "what was not executed is not compared: it says nothing about the session";
    } else if (report.isAborted()) {
      return "what was replayed until the abort is compared; a new replay shows the rest";
    } else if (report.isStopped() || report.divergencesByKind().containsKey("TIMEOUT")) {
      return "what was replayed so far is compared; a higher limit shows the rest";
    }
    return "what the recording has is compared; a recording with its end and all results shows the"
        + " rest";
  }

  private static @Nullable String afterDivergence(ReplayReport report) {
    if (report.missed() > 0) {
      return afterMiss(report);
    } else if (report.mode() == ReplayMode.VALIDATION) {
      return report.comparison() == null ? verify(report) : null;
    } else if (failsAtOnce(report)) {
      return "the agent failed before its first request: start it by itself to see why";
    } else if (report.divergencesByKind().containsKey("REFUSED")) {
      return "--model CMD gives the model an executor, --tools FILE a tool that has none";
    }
    return report.directory() == null
        ? "--out DIR keeps the session of the replay"
        : "replay diff %s %s".formatted(report.recording(), report.directory());
  }

  private static String afterMiss(ReplayReport report) {
    Set<MissKind> kinds = report.divergences().stream()
        .map(ReplayDivergence::miss)
        .filter(Objects::nonNull)
        .map(ReplayMiss::kind)
        .collect(Collectors.toSet());
    if (!kinds.isEmpty() && WITHOUT_ANSWER.containsAll(kinds)) {
      return "the recording has no answer for this call: record the session again";
    }
    List<String> hints = new ArrayList<>();
    if (report.isStopped()) {
      hints.add("--on-unmatched error shows all misses in one run");
    }
    if (kinds.stream().anyMatch(CHANGED::contains)) {
      hints.add("--on-unmatched position serves the recorded exchange all the same");
    }
    ReplayReport.Forked fork = report.fork();
    if (fork != null && fork.isReached()) {
      return "a request after the point that differs is executed: by --model CMD, or --tool NAME=CMD"
          + hints.stream().map(hint -> "; " + hint).collect(Collectors.joining());
    }
    String again = "record the session again if the change is intended";
    return hints.isEmpty() ? again : again + "; " + String.join(", ", hints);
  }

  private static String afterUnverified(ReplayReport report) {
    if (report.mode() == ReplayMode.VALIDATION) {
      return verify(report);
    } else if (failsAtOnce(report)) {
      return "the agent failed before its first request: start it by itself to see why";
    } else if (report.notReexecuted() > 0 || report.exchanges().recorded() == 0) {
      return "declare the effects of tools that may be executed again, and give them an executor";
    } else if (report.exchanges().executed() == 0 && report.mode() != ReplayMode.MOCK) {
      return "--model CMD gives the model an executor, --tools FILE a tool";
    }
    return "replay verify %s lists the findings".formatted(report.recording());
  }

  private static String verify(ReplayReport report) {
    return "replay verify %s lists the findings; --against SESSION compares with a different run"
        .formatted(report.recording());
  }

  /** Whether the agent failed before it made a request. */
  static boolean failsAtOnce(ReplayReport report) {
    return report.requests() == 0 && failure(report) != null;
  }

  /** The label of a circumstance: that of a difference, or of a note. */
  static String label(Circumstance circumstance) {
    return circumstance.recorded() == null || circumstance.actual() == null ? "note" : "differs";
  }

  /** The recorded exchanges that an identical replay did not request; null if there are none. */
  static @Nullable String ignored(ReplayReport report) {
    long unread = Math.max(0, report.exchanges().unread() - report.acceptedUnread());
    return unread == 0 || !report.isIdentical() || report.mode() == ReplayMode.VALIDATION
        ? null
        : "ignored: %s of tools that the comparison ignores %s not requested"
            .formatted(PlainText.count(unread, "recorded exchange"), unread == 1 ? "was" : "were");
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
