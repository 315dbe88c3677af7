package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.NothingRecordedException;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.files.FileChanges;
import dev.agentreplay.engine.replay.files.ServedFiles;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.settings.CircumstanceNames;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds the report of a replay: compares its session with the recording, and joins the divergences
 * with the entries of the ledger.
 */
final class ReportBuilder {

  private final Replay replay;
  private final RecordingCheck check;
  private final RecordingFacts facts;
  private final RecordedExchanges recorded;
  private final ExchangeMatcher matcher;
  private final ReplayRecording recording;
  private final Ledger ledger;
  private final ReplayState state;
  private final Set<Long> served;
  private final Set<Long> executed;

  /** The exchanges that were executed, and have no recorded result, by their lines. */
  private final Map<Long, RecordedExchange> undecided = new TreeMap<>();

  private final boolean isToolExecuted;

  private final ReplaySeverity severity;
  private final @Nullable Stop stop;

  /** Whether recorded requests are issued, without an agent that needs values. */
  private final boolean isDriven;

  private final @Nullable ForkRun fork;

  private final ReplayDivergences divergences;

  ReportBuilder(
      Replay replay,
      RecordingCheck check,
      RecordedExchanges recorded,
      ExchangeMatcher matcher,
      ReplayRecording recording,
      ServedFiles files,
      Ledger ledger,
      ReplayState state,
      boolean isDriven,
      @Nullable ForkRun fork)
      throws IOException {
    this.replay = replay;
    this.check = check;
    this.facts = check.facts();
    this.recorded = recorded;
    this.matcher = matcher;
    this.recording = recording;
    this.ledger = ledger;
    this.state = state;
    this.served = state.served();
    this.executed = state.executed();
    recorded.all().stream()
        .filter(exchange -> !exchange.isAnswered() && executed.contains(exchange.line()))
        .forEach(exchange -> undecided.put(exchange.line(), exchange));
    this.isToolExecuted = recorded.all().stream()
        .anyMatch(exchange ->
            exchange.kind() == ExchangeKind.TOOL_CALL && executed.contains(exchange.line()));
    this.severity = new ReplaySeverity(
        replay,
        facts,
        recording,
        replay.workspace == null ? new FileChanges() : FileChanges.read(recording.session()),
        state,
        undecided.keySet(),
        files.notExpected(served),
        ledger.isFull());
    this.stop = state.stopped();
    this.isDriven = isDriven;
    this.fork = fork;
    this.divergences = new ReplayDivergences(true, replay.comparison.accepted());
  }

  ReplayResults.ReportData build(
      List<Circumstance> circumstances,
      Instant startedAt,
      Duration duration,
      @Nullable Throwable failure,
      List<String> running)
      throws IOException {
    List<Ledger.Notable> notable = ledger.notable();
    Long stoppedAt = stop == null ? null : stop.request();
    ReplayedCalls calls = ReplayedCalls.read(
        recording.session(), recorded.all(), misses(notable), ledger.notRecorded(), stoppedAt);
    SessionDiff diff = compare(calls);
    divergences.add(diff, notable, calls);
    if (ledger.isFull()) {
      divergences.counts().setPartial();
    }
    if (stoppedAt != null) {
      divergences.stoppedAt(stoppedAt, calls);
    }
    undecided.values().forEach(divergences::addUndecided);
    if (stop == null && !isDriven) {
      matcher.unreadValues().forEach(divergences::addUnread);
    }
    long notReexecuted = addNotReexecuted();
    List<String> incomplete = incomplete(failure, running);
    List<Circumstance> all = new ArrayList<>(circumstances);
    if (diff != null) {
      addNotStated(diff, failure, all);
      addFiles(diff, all);
    }
    addAgentsNotRun(notable, all);
    addEnd(all);
    ReplayReport.ExchangeCounts exchanges = new ReplayReport.ExchangeCounts(
        recorded.size(),
        served.size(),
        executed.size(),
        recorded.size() - served.size() - executed.size());
    ReplayVerdict accepted = verdictIfAccepted(incomplete, exchanges, notReexecuted, all);
    return new ReplayResults.ReportData(
        divergences.areDifferences() ? ReplayVerdict.DIVERGED : accepted,
        replay.policy,
        replay.session.log(),
        facts.sessionId,
        recording.keptDirectory(),
        exchanges,
        ledger.requests(),
        ledger.matched(),
        ledger.missed(),
        check.verification(),
        all,
        divergences.first(replay.comparison.maxDivergences()),
        divergences.accepted().first(replay.comparison.maxDivergences()),
        divergences.accepted().count(),
        divergences.accepted().unread(),
        divergences.accepted().notFound(),
        divergences.counts(),
        notReexecuted,
        diff == null || replay.policy.mode() != ReplayMode.NODE ? Map.of() : agreement(diff),
        incomplete,
        diff,
        state.budget().json(),
        replay.isolation.get(),
        new ReplayReport.Recorded(facts.duration(), facts.inputTokens, facts.outputTokens),
        startedAt,
        duration,
        failure,
        state.cut() == null ? stop : state.cut(),
        state.firstMiss(),
        accepted,
        replay.comparison.failOnOrMinor(),
        fork == null ? null : new ReplayReport.Forked(fork.origin(), fork.isReached()));
  }

  // ---- the comparison of the sessions

  private static Map<Long, ReplayMiss> misses(List<Ledger.Notable> notable) {
    Map<Long, ReplayMiss> misses = new HashMap<>();
    for (Ledger.Notable each : notable) {
      ReplayMiss miss = each.entry().miss();
      if (miss != null && each.entry().kind() != ExchangeKind.VALUE) {
        misses.put(each.entry().number(), miss);
      }
    }
    return misses;
  }

  private @Nullable SessionDiff compare(ReplayedCalls calls) throws IOException {
    DiffOptions options = replay
        .comparison
        .withSeverity(severity)
        .withPartners(calls)
        .withMaxDivergences(Integer.MAX_VALUE); // the limit of their bytes applies
    try {
      return SessionDiff.between(replay.session, recording.session(), options);
    } catch (NothingRecordedException nothing) {
      return null;
    }
  }

  /** Adds that recorded events are not compared, because the agent states none of their kinds. */
  private void addNotStated(
      SessionDiff diff, @Nullable Throwable failure, List<Circumstance> circumstances) {
    if (isDriven || stop != null) {
      return;
    }
    Map<String, Long> names = new TreeMap<>();
    for (AlignedStep pair : diff.alignment()) {
      Step left = pair.left();
      if (left != null && pair.right() == null && severity.isNotStated(left.kind())) {
        names.merge(left.name(), 1L, Long::sum);
      }
    }
    SessionEnd end = facts.end;
    boolean isCopied = failure == null && severity.isNotStated(StepKind.END);
    if (isCopied && end != null && end.errorMessage() == null && !end.status().isSuccess()) {
      names.merge(EventKind.SESSION_END.id(), 1L, Long::sum);
    }
    if (!names.isEmpty()) {
      long count = names.values().stream().mapToLong(Long::longValue).sum();
      circumstances.add(new Circumstance(
          CircumstanceNames.EVENTS,
          null,
          null,
          "%s not compared, because the agent states none of their kinds: %s"
              .formatted(
                  PlainText.count(count, "recorded event"), String.join(", ", names.keySet()))));
    }
  }

  /**
   * Adds that changes of files are not compared, because only one of the sessions can have them.
   */
  private void addFiles(SessionDiff diff, List<Circumstance> circumstances) {
    if (stop != null) {
      return;
    }
    boolean isReported = severity.isNotStated(StepKind.FILE_STATE) && !isDriven; // by addNotStated
    List<String> unreadable = replay.workspace == null ? List.of() : replay.workspace.unreadable();
    if (!unreadable.isEmpty()) {
      circumstances.add(notCompared("%s not compared, the first: %s"
          .formatted(
              PlainText.count(unreadable.size(), "unreadable file"),
              PlainText.escaped(unreadable.get(0)))));
    }
    long notMade = 0;
    long notSeen = 0;
    long notCaptured = 0;
    for (AlignedStep pair : diff.alignment()) {
      Step left = pair.left();
      Step right = pair.right();
      if (left != null && right == null && severity.isNotExpected(left) && !isReported) {
        notMade++;
      } else if (left != null && right == null && isDriven && severity.isNotSeen(left.kind())) {
        notSeen++;
      } else if (left == null && right != null && severity.isNotCaptured(right.kind())) {
        notCaptured++;
      }
    }
    if (notMade > 0) {
      circumstances.add(notCompared("%s not compared, because what changed the files was not run"
          .formatted(PlainText.count(notMade, "recorded file state"))));
    }
    if (notSeen > 0) {
      circumstances.add(
          notCompared("%s not compared, because the workspace of the replay is not captured"
              .formatted(PlainText.count(notSeen, "recorded file state"))));
    }
    if (notCaptured > 0) {
      circumstances.add(
          notCompared("%s not compared, because the recording states no snapshot of its workspace"
              .formatted(PlainText.count(notCaptured, "changed file"))));
    }
  }

  private static Circumstance notCompared(String message) {
    return new Circumstance(CircumstanceNames.FILES, null, null, message);
  }

  /** Adds the agents that did not run, because the calls that started them were served. */
  private void addAgentsNotRun(List<Ledger.Notable> notable, List<Circumstance> circumstances)
      throws IOException {
    if (facts.parents.isEmpty()) {
      return;
    }
    Set<Long> lines = new HashSet<>(served);
    lines.addAll(executed);
    lines.addAll(state.notExecuted());
    Set<String> agents = new HashSet<>();
    for (Ledger.Notable each : notable) {
      if (each.entry().agent() != null) {
        agents.add(each.entry().agent());
      }
    }
    circumstances.addAll(AgentsNotRun.find(
        replay.session,
        facts.parents,
        recorded.all(),
        new AgentsNotRun.Requested(lines, agents),
        served));
  }

  /**
   * Adds that only one end has a summary: that of an invocation of an AI service, which is not that
   * of a session of several.
   */
  private void addEnd(List<Circumstance> circumstances) {
    SessionEnd stated = recording.statedEnd();
    if (stated == null || facts.end == null || !divergences.areDifferences()) {
      return;
    }
    boolean isSummarized = stated.summary() != null;
    if (isSummarized != (facts.end.summary() != null)) {
      circumstances.add(new Circumstance(
          CircumstanceNames.SUMMARY,
          null,
          null,
          ("only the end of the %s has a summary: AiServiceReplayer.of ends a session with its only"
                  + " invocation and the answer, ofShared leaves the end to the caller")
              .formatted(isSummarized ? "replay" : "recording")));
    }
  }

  /** Adds what was served although it is to be executed. Returns the number of exchanges. */
  private long addNotReexecuted() {
    List<RecordedExchange> exchanges = recorded.all().stream()
        .filter(exchange -> served.contains(exchange.line()) && isToBeExecuted(exchange))
        .filter(exchange -> fork == null || !fork.mayServe(exchange))
        .sorted(Comparator.comparingLong(RecordedExchange::line))
        .toList();
    Map<String, List<RecordedExchange>> byName = new LinkedHashMap<>();
    for (RecordedExchange exchange : exchanges) {
      byName
          .computeIfAbsent(exchange.kind() + exchange.name(), name -> new ArrayList<>())
          .add(exchange);
    }
    byName
        .values()
        .forEach(same -> divergences.addNotReexecuted(
            same.get(0).name(), same.size(), same.get(0).line()));
    return exchanges.size();
  }

  /**
   * Whether the mode is to execute an exchange. {@link ReplayMode#TOOLS_LIVE} serves external
   * tools; but if no tool was executed, one was expected to be.
   */
  private boolean isToBeExecuted(RecordedExchange exchange) {
    boolean isTool = exchange.kind() == ExchangeKind.TOOL_CALL;
    return switch (replay.policy.mode()) {
      case VALIDATION, MOCK -> false;
      case FULL, NODE -> true;
      case MODEL_LIVE -> !isTool;
      case TOOLS_LIVE -> isTool && !isToolExecuted;
    };
  }

  /** The agreement of the executed exchanges with the recording, by their names. */
  private Map<String, ReplayReport.Agreement> agreement(SessionDiff diff) {
    Set<Integer> insignificant = diff.divergences().stream()
        .filter(each -> each.severity() == DivergenceSeverity.NONE && each.accepted() == null)
        .map(Divergence::number)
        .collect(Collectors.toSet());
    Map<String, ReplayReport.Agreement> agreement = new TreeMap<>();
    for (AlignedStep pair : diff.alignment()) {
      Step left = pair.left();
      if (left != null && executed.contains(left.line())) {
        boolean isSame = pair.divergence() == null
            ? pair.relation() == AlignedStep.Relation.MATCHED
            : insignificant.contains(pair.divergence());
        agreement.merge(
            left.name(),
            new ReplayReport.Agreement(isSame ? 1 : 0, 1),
            ReplayReport.Agreement::plus);
      }
    }
    return agreement;
  }

  // ---- the verdict

  private List<String> incomplete(@Nullable Throwable failure, List<String> running) {
    List<String> reasons = new ArrayList<>();
    Stop cut = state.cut();
    if (cut != null) {
      reasons.add(cut.reason());
    } else if (stop != null
        && (!divergences.areDifferences()
            || !divergences.failsAt(stop, replay.comparison.failOnOrMinor()))) {
      reasons.add(stop.reason()); // a difference that is accepted, or less severe than failing ones
    }
    long timedOut = divergences.counts().count(DivergenceData.TIMEOUT);
    if (timedOut > 0) {
      reasons.add(PlainText.count(timedOut, "exchange") + " timed out");
    }
    long notExecuted = ledger.count(LedgerEntry.Result.NOT_EXECUTED);
    if (notExecuted > 0) {
      reasons.add(notExecuted(notExecuted));
    }
    long cancelled = ledger.count(LedgerEntry.Result.CANCELLED);
    if (cancelled > 0 && stop == null) {
      reasons.add(
          PlainText.count(cancelled, "request") + " cancelled by an interrupt of the agent");
    }
    long late = state.lateUses();
    if (late > 0) {
      reasons.add("the scope was used %s after the agent had returned"
          .formatted(PlainText.count(late, "time")));
    }
    long undecided = divergences.undecided();
    if (undecided > 0) {
      reasons.add(RecordingCheck.undecided(undecided));
    }
    if (!running.isEmpty()) {
      reasons.add("ignored the interrupt, and may still run: " + String.join(", ", running));
    }
    String fork = this.fork == null ? null : this.fork.incomplete();
    if (fork != null) {
      reasons.add(fork);
    }
    if (check.hasGaps()) {
      reasons.add(RecordingCheck.HAS_GAPS);
    }
    if (facts.end == null) {
      reasons.add(RecordingCheck.HAS_NO_END);
    } else if (failure != null && stop == null && isNotCompared(failure, facts.end)) {
      reasons.add("the agent failed: " + Failure.message(failure));
    }
    return reasons;
  }

  /**
   * Whether nothing that is compared shows that the agent failed: its failure is the end unless it
   * has stated a different one, and the rules may ignore the end.
   */
  private boolean isNotCompared(Throwable failure, SessionEnd recordedEnd) {
    SessionEnd stated = recording.statedEnd();
    boolean isEnd = stated == null
        ? !recordedEnd.status().isSuccess()
        : Failure.message(failure).equals(stated.errorMessage());
    return !isEnd && !divergences.areDifferences();
  }

  /** The reason that requests were not executed, with the message of the first. */
  private String notExecuted(long count) {
    String first = ledger.notable().stream()
        .map(Ledger.Notable::entry)
        .filter(entry -> entry.notExecuted() != null)
        .map(entry -> ": %s: %s".formatted(entry.name(), entry.message()))
        .findFirst()
        .orElse("");
    String verb = count == 1 ? " was not executed" : " were not executed";
    return PlainText.count(count, "exchange") + verb + first;
  }

  private ReplayVerdict verdictIfAccepted(
      List<String> incomplete,
      ReplayReport.ExchangeCounts exchanges,
      long notReexecuted,
      List<Circumstance> circumstances) {
    if (!incomplete.isEmpty()) {
      return ReplayVerdict.INCOMPLETE;
    }
    boolean mayServe = replay.policy.mode() == ReplayMode.MOCK || fork != null;
    boolean isServed = mayServe && exchanges.served() > 0;
    boolean nothing = exchanges.executed() == 0 && !isServed;
    return nothing || notReexecuted > 0 || check.isForced() || !replay.accepts(circumstances)
        ? ReplayVerdict.UNVERIFIED
        : ReplayVerdict.IDENTICAL;
  }
}
